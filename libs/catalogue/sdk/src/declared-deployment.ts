import { type KubeObject, kinds } from "@microremed/cluster";
import type { Manifest } from "./environment/manifest.ts";
import type { TruthContext } from "./fault.ts";
import { manifestOf } from "./field-change.ts";
import { targetName } from "./target.ts";

type Where = Pick<TruthContext, "environment" | "target">;

/** A copy of the target's Deployment as it is declared. Throws where the environment declares no such Deployment. */
export function declaredDeployment({ environment, target }: Where): Manifest {
  const name = targetName({ environment, target });
  const manifest = manifestOf(environment, kinds.deployment, name);
  if (!manifest) throw new Error(`${environment.name} declares no Deployment ${name}`);
  return structuredClone(manifest);
}

/** What settings change in the pods of a Deployment. */
export interface DeclaredPods {
  readonly serviceAccountName?: string;
  readonly initContainers?: readonly object[];
  readonly containers: readonly [DeclaredContainer, ...DeclaredContainer[]];
}
type Resources = Readonly<Partial<Record<"requests" | "limits", Readonly<Record<string, string>>>>>;
interface DeclaredContainer {
  readonly args?: readonly string[];
  readonly env?: readonly object[];
  readonly readinessProbe?: object;
  readonly resources?: Resources;
}

/** The target's Deployment as it is declared, with these changes of its pods' specification. Throws as `declaredDeployment` does. */
export function deploymentWithPods(
  where: Where,
  change: (pods: DeclaredPods) => Partial<DeclaredPods>,
): KubeObject {
  const { spec, ...deployment } = declaredDeployment(where) as unknown as KubeObject & {
    readonly spec: { readonly template: { readonly spec: DeclaredPods } };
  };
  const { template } = spec;
  const pods = { ...template.spec, ...change(template.spec) };
  return { ...deployment, spec: { ...spec, template: { ...template, spec: pods } } };
}

/** The same with other fields of its first container. */
export const deploymentWithContainer = (
  where: Where,
  change: (container: DeclaredContainer) => DeclaredContainer,
): KubeObject =>
  deploymentWithPods(where, ({ containers: [first, ...others] }) => ({
    containers: [{ ...first, ...change(first) }, ...others],
  }));

/** Requests and limits without those of one resource, `cpu` or `memory`. */
export const withoutResource = (resources: Resources = {}, name: string): Resources =>
  Object.fromEntries(
    Object.entries(resources).map(([what, amounts]) => [
      what,
      Object.fromEntries(Object.entries(amounts).filter(([one]) => one !== name)),
    ]),
  );
