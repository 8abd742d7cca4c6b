import { type Cluster, chaosRuleKinds, type KubeObject } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";

const isRuleKind = new Set(chaosRuleKinds.map(({ kind }) => kind));

/** Whether an object has what Chaos Mesh does to one pod. */
export const isChaosRules = ({ kind = "" }: KubeObject): boolean => isRuleKind.has(kind);

/** Those of a namespace that do something. A fault that is over leaves its object behind without rules. */
export async function readChaosRules(
  cluster: Pick<Cluster, "list">,
  namespace: string,
): Promise<KubeObject[]> {
  const lists = await Promise.all(chaosRuleKinds.map((kind) => cluster.list(kind, { namespace })));
  return lists.flat().filter(hasRules);
}

const hasRules = ({ spec }: KubeObject): boolean =>
  isJsonObject(spec) && Object.values(spec).some((list) => Array.isArray(list) && list.length > 0);
