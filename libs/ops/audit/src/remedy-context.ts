import { type Environment, type Fault, type RemedyContext, targetOf } from "@microremed/catalogue";
import { terminal } from "@microremed/core";

/** Where a fault's remedies are applied, with its own values as parameters. */
export function remedyContext(
  fault: Pick<Fault, "showsOn">,
  environment: Environment,
  namespace: string,
  target: string,
): RemedyContext {
  const place = targetOf(environment, fault.showsOn?.(environment, target) ?? target);
  if (!place) throw terminal("internal", `${environment.name} has no workload for the target ${target}`);
  const { name, workload, container } = place;
  return { environment, namespace, target, name, workload, container: container.name };
}
