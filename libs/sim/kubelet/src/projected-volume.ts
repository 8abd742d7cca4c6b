import { FileTree } from "@microremed/sim-machine";
import { type KubeObject, resources } from "@microremed/sim-objects";
import { fieldOf } from "./container-env.ts";
import type { KubeletContext } from "./context.ts";

interface Item {
  readonly key: string;
  readonly path: string;
}

interface FileSource {
  readonly name: string;
  readonly optional?: boolean;
  readonly items?: readonly Item[];
}

interface TokenSource {
  readonly path: string;
  readonly audience?: string;
  readonly expirationSeconds?: number;
}

export interface DownwardItem {
  readonly path: string;
  readonly fieldRef?: { readonly fieldPath: string };
}

export interface Source {
  readonly configMap?: FileSource;
  readonly secret?: FileSource;
  readonly downwardAPI?: { readonly items?: readonly DownwardItem[] };
  readonly serviceAccountToken?: TokenSource;
}

type Context = Pick<KubeletContext, "store" | "loop" | "machine" | "issueToken" | "hostIp">;

/** Kubernetes' default of a projected token's expirationSeconds. */
const defaultSeconds = 3600;
/** The kubelet asks for a new token when four fifths of the old one's time are over. */
const refreshAt = 0.8;

/** Files of a ConfigMap's or Secret's data; all keys without `items`. */
export function filesOf(
  data: Readonly<Record<string, string>>,
  encoding: BufferEncoding,
  items: readonly Item[] | undefined,
): FileTree {
  const paths = items ?? Object.keys(data).map((key) => ({ key, path: key }));
  const entries = paths.filter(({ key }) => Object.hasOwn(data, key));
  return new FileTree(
    entries.map(({ key, path }) => [path, new Uint8Array(Buffer.from(data[key] ?? "", encoding))]),
  );
}

/** Files of `downwardAPI` items: single fields, or all labels or annotations as lines. */
export function downwardFiles(
  { hostIp }: Pick<KubeletContext, "hostIp">,
  pod: KubeObject,
  items: readonly DownwardItem[],
): FileTree {
  const facts = { pod, podIP: pod.status?.podIP ?? "", hostIP: hostIp(pod.spec.nodeName) };
  const lines = (map: Readonly<Record<string, string>> = {}): string =>
    Object.entries(map)
      .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      .sort()
      .join("\n");
  const text = (fieldPath: string): string => {
    if (fieldPath === "metadata.labels") return lines(pod.metadata.labels);
    if (fieldPath === "metadata.annotations") return lines(pod.metadata.annotations);
    return fieldOf(facts, fieldPath);
  };
  const entries = items.flatMap(({ path, fieldRef }) =>
    fieldRef ? [[path, new Uint8Array(Buffer.from(text(fieldRef.fieldPath)))] as const] : [],
  );
  return new FileTree(entries);
}

/** The files of a `projected` volume, or why it can't be mounted. Its tokens are renewed while the pod lives. */
export function projectVolume(
  ctx: Context,
  pod: KubeObject,
  sources: readonly Source[],
): FileTree | { readonly error: string } {
  const files = ctx.loop.keep(new FileTree());
  const add = (tree: FileTree): void => {
    for (const [path, content] of tree) files.set(path, content);
  };
  for (const { configMap, secret, downwardAPI, serviceAccountToken } of sources) {
    for (const [kind, source] of [
      ["configmap", configMap],
      ["secret", secret],
    ] as const) {
      if (!source) continue;
      const ref = kind === "configmap" ? resources.configMaps : resources.secrets;
      const object = ctx.store.get(ref, pod.metadata.namespace, source.name);
      if (!object && !source.optional) return { error: `${kind} "${source.name}" not found` };
      const data = (object?.["data"] ?? {}) as Record<string, string>;
      add(filesOf(data, kind === "configmap" ? "utf8" : "base64", source.items));
    }
    if (downwardAPI) add(downwardFiles(ctx, pod, downwardAPI.items ?? []));
    if (serviceAccountToken) keepToken(ctx, pod, serviceAccountToken, files);
  }
  return files;
}

function keepToken(ctx: Context, pod: KubeObject, source: TokenSource, files: FileTree): void {
  const { path, audience, expirationSeconds: seconds = defaultSeconds } = source;
  const { uid } = pod.metadata;
  const renew = (): void => {
    const token = ctx.issueToken?.(pod, seconds, audience);
    if (token) files.set(path, new Uint8Array(Buffer.from(token)));
    if (!token) return;
    ctx.loop.after(refreshAt * seconds * 1000, "kubelet.token", () => {
      if (ctx.machine.sandboxes.has(uid)) renew();
    });
  };
  renew();
}
