import type { KubeObject } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { holdsLabels } from "@microremed/kube-rules";
import { isWorkload } from "./expected.ts";
import { labelsOfPodsOf } from "./pods-made.ts";
import { type PodTemplate, podTemplateOf } from "./starting/pod-template.ts";

/**
 * Whether two ports, each by its name or its number, are the same one in all pods that a declared workload makes, or a declared Service
 * selects.
 */
export function isSamePort(
  declared: KubeObject,
  record: readonly KubeObject[],
): (one: string, other: string) => boolean {
  const templates = makersOf(declared, record).flatMap((maker) => podTemplateOf(maker) ?? []);
  return (one, other) =>
    templates.length > 0 &&
    templates.every((template) => {
      const number = numberOf(one, template);
      return number !== undefined && number === numberOf(other, template);
    });
}

/** The declared workloads whose pods the ports of an object are in. */
function makersOf(declared: KubeObject, record: readonly KubeObject[]): readonly KubeObject[] {
  if (isWorkload(declared)) return [declared];
  const selector =
    declared.kind === "Service" && isJsonObject(declared.spec) ? declared.spec["selector"] : undefined;
  if (!isJsonObject(selector)) return [];
  const wanted = selector as Record<string, string>;
  return record.filter((one) => isWorkload(one) && holdsLabels(labelsOfPodsOf(one), wanted));
}

function numberOf(port: string, { containers }: PodTemplate): number | undefined {
  if (/^\d+$/.test(port)) return Number(port);
  return containers.flatMap(({ ports }) => ports).find(({ name }) => name === port)?.containerPort;
}
