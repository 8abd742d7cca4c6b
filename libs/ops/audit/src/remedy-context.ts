import { type Environment, type Fault, type RemedyContext, targetOf } from "@microremed/catalogue";
import { terminal } from "@microremed/core";

/** Where a fault's remedies are applied. `parameters`: what differs from the fault's own values. */
export function remedyContext(
  fault: Pick<Fault, "showsOn">,
  environment: Environment,
  namespace: string,
  target: string,
  parameters?: RemedyContext["parameters"],
): RemedyContext {
  const place = targetOf(environment, fault.showsOn?.(environment, target) ?? target);
  if (!place) throw terminal("internal", `${environment.name} has no workload for the target ${target}`);
  const { name, workload, container } = place;
  const common = { environment, namespace, target, name, workload, container: container.name };
  return { ...common, ...(parameters && { parameters }) };
}
