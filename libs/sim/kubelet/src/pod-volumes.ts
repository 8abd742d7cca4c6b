import { FileTree, nodeMemory } from "@microremed/sim-machine";
import { type KubeObject, parseQuantity, resources } from "@microremed/sim-objects";
import type { KubeletContext } from "./context.ts";
import { type DownwardItem, downwardFiles, filesOf, projectVolume, type Source } from "./projected-volume.ts";

interface Item {
  readonly key: string;
  readonly path: string;
}

interface Volume {
  readonly name: string;
  readonly configMap?: {
    readonly name: string;
    readonly optional?: boolean;
    readonly items?: readonly Item[];
  };
  readonly secret?: {
    readonly secretName: string;
    readonly optional?: boolean;
    readonly items?: readonly Item[];
  };
  readonly persistentVolumeClaim?: { readonly claimName: string };
  readonly projected?: { readonly sources?: readonly Source[] };
  readonly downwardAPI?: { readonly items?: readonly DownwardItem[] };
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: string };
}

/** Size of the file system on a volume, bytes; undefined: nothing says it. */
export const capacityOf = (volume: KubeObject | undefined): number | undefined =>
  parseQuantity(volume?.spec?.capacity?.storage ?? "");

/** The pod's volumes with their files, or why one can't be mounted, in the kubelet's words. */
export type Mounted = { readonly volumes: Map<string, FileTree> } | { readonly error: string };

/** Puts a pod's volumes together. Paths in a volume are relative to its root. */
export function mountVolumes(ctx: KubeletContext, pod: KubeObject): Mounted {
  const { store, loop } = ctx;
  const { namespace } = pod.metadata;
  const volumes = new Map<string, FileTree>();
  for (const volume of (pod.spec.volumes ?? []) as readonly Volume[]) {
    const { configMap, secret, persistentVolumeClaim, projected, downwardAPI, emptyDir } = volume;
    if (configMap) {
      const object = store.get(resources.configMaps, namespace, configMap.name);
      if (!object && !configMap.optional)
        return missing(volume.name, `configmap "${configMap.name}" not found`);
      volumes.set(
        volume.name,
        filesOf((object?.["data"] ?? {}) as Record<string, string>, "utf8", configMap.items),
      );
    } else if (secret) {
      const object = store.get(resources.secrets, namespace, secret.secretName);
      if (!object && !secret.optional) return missing(volume.name, `secret "${secret.secretName}" not found`);
      volumes.set(
        volume.name,
        filesOf((object?.["data"] ?? {}) as Record<string, string>, "base64", secret.items),
      );
    } else if (persistentVolumeClaim) {
      const claim = store.get(resources.persistentVolumeClaims, namespace, persistentVolumeClaim.claimName);
      // A pod that was put on its node past the scheduler may come before its claim is bound.
      const key: string = claim?.spec?.volumeName ?? `${namespace}/${persistentVolumeClaim.claimName}`;
      const files = ctx.volumes.get(key) ?? loop.keep(new FileTree());
      ctx.volumes.set(key, files);
      files.capacity = capacityOf(store.get(resources.persistentVolumes, undefined, key));
      volumes.set(volume.name, files);
    } else if (projected) {
      const files = projectVolume(ctx, pod, projected.sources ?? []);
      if ("error" in files) return missing(volume.name, files.error);
      volumes.set(volume.name, files);
    } else if (downwardAPI) {
      volumes.set(volume.name, downwardFiles(ctx, pod, downwardAPI.items ?? []));
    } else {
      const files = loop.keep(new FileTree());
      if (emptyDir?.medium === "Memory") {
        files.isInMemory = true;
        files.capacity = parseQuantity(emptyDir.sizeLimit ?? "") ?? nodeMemory(pod.spec.nodeName);
      }
      volumes.set(volume.name, files);
    }
  }
  return { volumes };
}

function missing(volume: string, cause: string): Mounted {
  return { error: `MountVolume.SetUp failed for volume "${volume}" : ${cause}` };
}
