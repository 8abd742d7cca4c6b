import type { KubeObject, Workload } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { type LabelSelector, matchesSelector } from "@microremed/kube-rules";

/** Whether any webhook of a configuration is asked about new pods of these workloads, which are in this namespace. */
export function reachesPods(
  { webhooks }: KubeObject,
  namespace: string,
  workloads: readonly Workload[],
): boolean {
  const all: readonly unknown[] = Array.isArray(webhooks) ? webhooks : [];
  const ofNamespace = { "kubernetes.io/metadata.name": namespace };
  return all.filter(isJsonObject).some((webhook) => {
    const { rules, namespaceSelector = {}, objectSelector = {} } = webhook;
    if (!(Array.isArray(rules) && rules.some(isAboutPods))) return false;
    if (!matchesSelector(namespaceSelector as LabelSelector, ofNamespace)) return false;
    return workloads.some(({ spec }) =>
      matchesSelector(objectSelector as LabelSelector, spec?.template?.metadata?.labels),
    );
  });
}

/** Of what is not a list of names it is taken to be. */
function isAboutPods(rule: unknown): boolean {
  if (!isJsonObject(rule)) return true;
  const may = (list: unknown, ...names: readonly string[]): boolean =>
    !Array.isArray(list) || names.some((name) => list.includes(name));
  return (
    may(rule["operations"], "*", "CREATE") &&
    may(rule["apiGroups"], "*", "") &&
    may(rule["resources"], "*", "*/*", "pods", "pods/*")
  );
}
