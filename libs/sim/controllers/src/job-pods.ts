import { isActive, type KubeObject, type NewObject } from "@microremed/sim-objects";

const indexKey = "batch.kubernetes.io/job-completion-index";

export const isIndexed = (job: KubeObject): boolean => job.spec.completionMode === "Indexed";
export const succeededOf = (pods: readonly KubeObject[]): readonly KubeObject[] =>
  pods.filter((pod) => pod.status?.phase === "Succeeded");

const indexOf = (pod: KubeObject): number => Number(pod.metadata.annotations?.[indexKey]);

/** The `count` smallest indexes that no pod has had success with or works on. */
export function freeIndexes(pods: readonly KubeObject[], count: number): readonly number[] {
  const taken = new Set(
    pods.filter((pod) => isActive(pod) || pod.status?.phase === "Succeeded").map(indexOf),
  );
  const free: number[] = [];
  for (let index = 0; free.length < count; index += 1) if (!taken.has(index)) free.push(index);
  return free;
}

/** The indexes that are done, as `0-2,5` for 0, 1, 2, 5. */
export function completedIndexes(pods: readonly KubeObject[]): string {
  const sorted = [...new Set(succeededOf(pods).map(indexOf))].sort((a, b) => a - b);
  const starts = sorted.filter((each) => !sorted.includes(each - 1));
  return starts
    .map((start) => {
      let end = start;
      while (sorted.includes(end + 1)) end += 1;
      return end === start ? `${start}` : end === start + 1 ? `${start},${end}` : `${start}-${end}`;
    })
    .join(",");
}

/** A pod's spec whose containers know their index. */
function numbered(spec: KubeObject["spec"]): KubeObject["spec"] {
  const variable = {
    name: "JOB_COMPLETION_INDEX",
    valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: `metadata.annotations['${indexKey}']` } },
  };
  const containers = spec.containers.map((each: { env?: readonly object[] }) => ({
    ...each,
    env: [...(each.env ?? []), variable],
  }));
  return { ...spec, containers };
}

/** What a Job adds to a pod of its template: labels that name it, and the index, if it has indexes. */
export function jobPod(job: KubeObject, pod: NewObject, index: number | undefined): NewObject {
  const { name, uid } = job.metadata;
  const own = {
    ...(index !== undefined && { [indexKey]: String(index) }),
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
    "controller-uid": uid,
    "job-name": name,
  };
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: { ...pod.metadata.labels, ...own },
      ...(index !== undefined && { annotations: { ...pod.metadata.annotations, [indexKey]: String(index) } }),
    },
    ...(index !== undefined && { spec: numbered(pod.spec) }),
  };
}
