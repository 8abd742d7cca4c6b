import { type CauseLabels, type Evidence, operatedEvidence, partOf, shellCall } from "@microremed/catalogue";

/** Each pod with when it was made. */
const ages = shellCall(
  `kubectl get pods -o jsonpath='{range .items[*]}{.metadata.name} {.metadata.creationTimestamp}{"\\n"}{end}'`,
);
/** No part of a system has so many pods. */
const farMore = 500;

/** A custom resource asks for very many replicas. How many there were is shown by the longest pause between two of its pods. */
export const farTooMany = (labels: CauseLabels): Evidence =>
  operatedEvidence(
    labels,
    (resource, pods) =>
      resource.workloads.flatMap((workload) => {
        const { replicas } = resource.parts[partOf(resource, workload) ?? ""] ?? {};
        if (typeof replicas !== "number" || replicas < farMore) return [];
        return [
          { workload, field: "replicas", wrong: String(replicas), right: String(madeBefore(workload, pods)) },
        ];
      }),
    ages,
  );

function madeBefore(workload: string, pods: string): number {
  const made = [...pods.matchAll(/^(\S+)-(\d+) (\S+)$/gm)]
    .filter(([, name]) => name === workload)
    .toSorted(([, , a], [, , b]) => Number(a) - Number(b))
    .map(([, , , at = ""]) => Date.parse(at));
  const pauses = made.slice(1).map((at, index) => at - (made[index] ?? at));
  return pauses.length === 0 ? 1 : pauses.indexOf(Math.max(...pauses)) + 1;
}
