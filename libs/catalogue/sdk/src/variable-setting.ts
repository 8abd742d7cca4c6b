import { type KubeObject, kinds } from "@microremed/cluster";
import { deploymentWithContainer } from "./declared-deployment.ts";
import type { TruthContext } from "./fault.ts";

/** A variable that the programs of a Deployment have from a ConfigMap. */
interface SetVariable {
  readonly configMap: string;
  /** Name of the variable, and of the key in the ConfigMap. */
  readonly variable: string;
  readonly value: string;
}

/**
 * A setting: a ConfigMap with a variable, and the target's Deployment as it is declared, with the variable in its first container.
 * Throws where the environment declares no such Deployment.
 */
export function variableSetting(
  context: TruthContext,
  { configMap, variable, value }: SetVariable,
): KubeObject[] {
  const valueFrom = { configMapKeyRef: { name: configMap, key: variable } };
  return [
    { ...kinds.configMap, metadata: { name: configMap }, data: { [variable]: value } },
    deploymentWithContainer(context, ({ env = [] }) => ({ env: [...env, { name: variable, valueFrom }] })),
  ];
}
