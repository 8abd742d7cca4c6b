import type { Cluster, Pod } from "@microremed/cluster";
import { isJsonObject, shellWord } from "@microremed/core";
import { isSilent } from "../is-silent.ts";

/** Ms of cluster time: a volume that takes longer is not judged. */
const timeoutMs = 10_000;
/** Execs at once: an agent may have made hundreds of pods. */
const atOnce = 16;

/** What a volume holds. */
export interface VolumeContent {
  readonly files: number;
  /** KiB on its disk. */
  readonly kib: number;
}

/** A volume that a container may write to, where one container sees it. */
export interface MountedVolume {
  /** `claim <name>`, or `<pod's uid> <volume>` for one that goes with its pod. */
  readonly key: string;
  readonly name: string;
  readonly pod: Pod;
  readonly container: string;
  readonly path: string;
}

/** The claims and empty directories of running pods, each once. */
export function mountedVolumes(pods: readonly Pod[]): MountedVolume[] {
  const found = new Map<string, MountedVolume>();
  for (const pod of pods.filter(isRunning)) {
    for (const { name: container, volumeMounts = [] } of pod.spec?.containers ?? []) {
      for (const { name, mountPath: path } of volumeMounts) {
        const key = keyOf(pod, name);
        if (key !== undefined && !found.has(key)) found.set(key, { key, name, pod, container, path });
      }
    }
  }
  return [...found.values()];
}

/** What all pods of a workload call a volume that goes with its pod; undefined: a claim, or a pod of none. */
export const sharedKeyOf = (
  { key, name }: MountedVolume,
  workload: string | undefined,
): string | undefined =>
  workload === undefined || key.startsWith("claim ") ? undefined : `each ${workload} ${name}`;

/** With the most that a volume of any pod of a workload holds, by `sharedKeyOf`: what a later pod's may hold too. */
export function withMostOfEach(
  volumes: Readonly<Record<string, VolumeContent>>,
  mounted: readonly MountedVolume[],
  workloadOf: (pod: Pod) => string | undefined,
): Record<string, VolumeContent> {
  const all = { ...volumes };
  for (const volume of mounted) {
    const [content, shared] = [volumes[volume.key], sharedKeyOf(volume, workloadOf(volume.pod))];
    if (!content || shared === undefined) continue;
    const { files = 0, kib = 0 } = all[shared] ?? {};
    all[shared] = { files: Math.max(files, content.files), kib: Math.max(kib, content.kib) };
  }
  return all;
}

const isRunning = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && status?.phase === "Running";

function keyOf({ metadata, spec }: Pod, name: string): string | undefined {
  const { volumes = [] } = (spec ?? {}) as { volumes?: readonly Record<string, unknown>[] };
  const volume = volumes.find((one) => one["name"] === name);
  const claim = volume?.["persistentVolumeClaim"];
  if (isJsonObject(claim)) return `claim ${claim["claimName"]}`;
  return volume?.["emptyDir"] === undefined ? undefined : `${metadata.uid} ${name}`;
}

/** Counts, in the containers' own shells. A volume that could not be counted is left out. */
export async function readVolumes(
  cluster: Cluster,
  volumes: readonly MountedVolume[],
): Promise<Record<string, VolumeContent>> {
  await using _hold = await cluster.clock.hold();
  const found: Record<string, VolumeContent> = {};
  const queue = volumes.values();
  const work = async (): Promise<void> => {
    for (const volume of queue) {
      const content = await count(cluster, volume);
      if (content) found[volume.key] = content;
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, volumes.length) }, work));
  // In the order in which they were asked for, whichever answered first.
  return Object.fromEntries(volumes.flatMap(({ key }) => (found[key] ? [[key, found[key]] as const] : [])));
}

async function count(
  cluster: Cluster,
  { pod, container, path }: MountedVolume,
): Promise<VolumeContent | undefined> {
  const quoted = shellWord(path);
  const script = `du -s ${quoted} | cut -f1; find ${quoted} -type f | wc -l`;
  const where = { namespace: pod.metadata.namespace ?? "", pod: pod.metadata.name, container };
  try {
    const { stdout } = await cluster.exec({ ...where, command: ["sh", "-c", script], timeoutMs });
    const [, kib, files] = /^\s*(\d+)\s+(\d+)\s*$/.exec(stdout) ?? [];
    return kib === undefined ? undefined : { kib: Number(kib), files: Number(files) };
  } catch (error) {
    if (!isSilent(error)) throw error;
    return undefined;
  }
}
