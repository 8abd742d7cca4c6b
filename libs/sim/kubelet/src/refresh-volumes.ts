import { type KubeObject, resources } from "@microremed/sim-objects";
import type { KubeletContext } from "./context.ts";
import type { PodRecord } from "./pod-record.ts";
import { filesOf } from "./projected-volume.ts";

/** From a change of a ConfigMap to the files of pods: the kubelet sees to each pod once a minute (`syncFrequency`), ms. */
export const refreshMs = 60_000;

interface Spec {
  readonly volumes?: readonly ConfigVolume[];
  readonly containers?: readonly Mounting[];
  readonly initContainers?: readonly Mounting[];
}
interface ConfigVolume {
  readonly name: string;
  readonly configMap?: {
    readonly name: string;
    readonly items?: readonly { readonly key: string; readonly path: string }[];
  };
}
interface Mounting {
  readonly volumeMounts?: readonly { readonly name: string; readonly subPath?: string }[];
}

/** Volumes of a pod whose files follow a ConfigMap: one that is mounted by a `subPath` stays as it was when the pod began. */
function volumesOf(pod: KubeObject, configMap: string): readonly ConfigVolume[] {
  const { volumes = [], containers = [], initContainers = [] } = pod.spec as Spec;
  const of = volumes.filter((volume) => volume.configMap?.name === configMap);
  if (of.length === 0) return of;
  const mounts = [...initContainers, ...containers].flatMap(({ volumeMounts = [] }) => volumeMounts);
  const fixed = new Set(mounts.flatMap(({ name, subPath }) => (subPath ? [name] : [])));
  return of.filter(({ name }) => !fixed.has(name));
}

/** Whether files of a pod follow a ConfigMap. */
export const follows = (pod: KubeObject, { namespace, name }: KubeObject["metadata"]): boolean =>
  pod.metadata.namespace === namespace && volumesOf(pod, name).length > 0;

/** Gives a running pod the files that a ConfigMap has now. Where a key that it mounts is gone, they stay as they were. */
export function refreshVolumes(
  { store }: KubeletContext,
  { sandbox, pod, namespace }: PodRecord,
  name: string,
): void {
  const data = store.get(resources.configMaps, namespace, name)?.["data"];
  if (!sandbox || data === undefined) return;
  for (const { name: volume, configMap } of volumesOf(pod, name)) {
    const files = sandbox.volumes.get(volume);
    const texts = data as Readonly<Record<string, string>>;
    if (!files || configMap?.items?.some(({ key }) => texts[key] === undefined)) continue;
    files.clear();
    for (const [path, content] of filesOf(texts, "utf8", configMap?.items)) files.set(path, content);
  }
}
