import { isActive, type KubeObject, maxNamePrefix, type NewObject } from "@microremed/sim-objects";

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
function knowingIndex(spec: KubeObject["spec"]): KubeObject["spec"] {
  const variable = {
    name: "JOB_COMPLETION_INDEX",
    valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: `metadata.labels['${indexKey}']` } },
  };
  // A container's own value stays.
  const knowing = ({ env = [], ...each }: { env?: readonly { name: string }[] }) => ({
    ...each,
    env: env.some(({ name }) => name === variable.name) ? env : [...env, variable],
  });
  const { containers, initContainers } = spec;
  return {
    ...spec,
    containers: containers.map(knowing),
    ...(initContainers && { initContainers: initContainers.map(knowing) }),
  };
}

/** A pod that works on an index: its name and its host's begin with the Job's name and the index. */
function numbered(job: KubeObject, pod: NewObject, index: number): NewObject {
  const { name } = job.metadata;
  const key = { [indexKey]: String(index) };
  const { labels, annotations } = pod.metadata;
  const end = `-${index}-`;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      generateName: name.slice(0, maxNamePrefix - end.length) + end,
      labels: { ...labels, ...key },
      annotations: { ...annotations, ...key },
    },
    spec: { ...knowingIndex(pod.spec), hostname: `${name}-${index}` },
  };
}

/** What a Job adds to a pod of its template: labels that name it, and the index, if it has indexes. */
export function jobPod(job: KubeObject, pod: NewObject, index: number | undefined): NewObject {
  const { name, uid } = job.metadata;
  const own = {
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
    "controller-uid": uid,
    "job-name": name,
  };
  const owned = { ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, ...own } } };
  return index === undefined ? owned : numbered(job, owned, index);
}
