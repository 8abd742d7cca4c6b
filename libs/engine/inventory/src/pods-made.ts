import type { KubeObject } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";

/** Labels of the pods that an object will make; none: it makes no pods. */
export function labelsOfPodsOf({ spec }: KubeObject): Readonly<Record<string, string>> {
  const job = isJsonObject(spec) && isJsonObject(spec["jobTemplate"]) ? spec["jobTemplate"]["spec"] : spec;
  const template = isJsonObject(job) ? job["template"] : undefined;
  const metadata = isJsonObject(template) ? template["metadata"] : undefined;
  const labels = isJsonObject(metadata) ? metadata["labels"] : undefined;
  return isJsonObject(labels) ? (labels as Record<string, string>) : {};
}
