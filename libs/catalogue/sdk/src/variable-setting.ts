import { type KubeObject, kinds } from "@microremed/cluster";
import type { TruthContext } from "./fault.ts";
import { manifestOf } from "./field-change.ts";
import { targetOf } from "./target.ts";

/** A variable that the programs of a Deployment have from a ConfigMap. */
interface SetVariable {
  readonly configMap: string;
  /** Name of the variable, and of the key in the ConfigMap. */
  readonly variable: string;
  readonly value: string;
}

interface Template {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } };
}
interface Container {
  readonly env?: readonly object[];
}

/**
 * A setting: a ConfigMap with a variable, and the target's Deployment as it is declared, with the variable in its first container.
 * Throws where the environment declares no such Deployment.
 */
export function variableSetting(
  { environment, target }: TruthContext,
  { configMap, variable, value }: SetVariable,
): KubeObject[] {
  const name = targetOf(environment, target)?.name ?? target;
  const manifest = manifestOf(environment, kinds.deployment, name);
  if (!manifest) throw new Error(`${environment.name} declares no Deployment ${name}`);
  const { spec, ...deployment } = structuredClone(manifest) as typeof manifest & Template;
  const [first, ...others] = spec.template.spec.containers;
  const valueFrom = { configMapKeyRef: { name: configMap, key: variable } };
  const containers = [{ ...first, env: [...(first?.env ?? []), { name: variable, valueFrom }] }, ...others];
  const template = { ...spec.template, spec: { ...spec.template.spec, containers } };
  return [
    { ...kinds.configMap, metadata: { name: configMap }, data: { [variable]: value } },
    { ...deployment, spec: { ...spec, template } },
  ];
}
