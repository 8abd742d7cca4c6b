import { terminal } from "@microremed/core";
import type { Container, KeyPath, PodSpec, Volume } from "../pods/pod.types.ts";

/** Where a pod runs and what it may read there. */
export interface PodPlace {
  readonly name: string;
  readonly namespace: string;
  readonly ip: string;
  /** The pod has only this one of a network stack's addresses: what listens on all of them must listen on it alone. */
  readonly sharesNetwork: boolean;
  /** Data of a ConfigMap or Secret of the pod's namespace; undefined: there is none. */
  readonly read: (kind: "ConfigMap" | "Secret", name: string) => Readonly<Record<string, string>> | undefined;
}

/** A directory in the container: files that Kubernetes would put there, or a volume by its name. */
export interface Mount {
  readonly path: string;
  readonly readOnly: boolean;
  readonly source: { readonly files: Readonly<Record<string, string>> } | { readonly volume: string };
}

/** Everything that decides how a container's process starts. */
export interface ContainerPlan {
  readonly name: string;
  readonly image: string;
  /** Empty: the image's own. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  readonly readOnlyRoot: boolean;
  /** Whether seccomp lets it make user namespaces. */
  readonly mayMakeNamespaces: boolean;
}

/**
 * What the kubelet would do with a container of a pod, as data. Throws `invalid-config` where the kubelet would not start
 * it: a ConfigMap, a Secret or a key of it that is not there.
 */
export function planContainer(pod: PodSpec, container: Container, place: PodPlace): ContainerPlan {
  const env = planEnv(container, place);
  const own = container.securityContext ?? {};
  const uid = own.runAsUser ?? pod.securityContext?.runAsUser;
  const gid = own.runAsGroup ?? pod.securityContext?.runAsGroup;
  const seccomp = (own.seccompProfile ?? pod.securityContext?.seccompProfile)?.type;
  return {
    name: container.name,
    image: container.image,
    argv: [...(container.command ?? []), ...(container.args ?? [])].map((word) =>
      listeningIn(place, expand(word, env)),
    ),
    env,
    mounts: (container.volumeMounts ?? []).map(({ name, mountPath, readOnly }) => ({
      path: mountPath,
      readOnly: readOnly ?? false,
      source: planVolume(
        pod.volumes?.find((one) => one.name === name),
        name,
        place,
      ),
    })),
    user: uid === undefined ? undefined : { uid, gid: gid ?? uid },
    readOnlyRoot: own.readOnlyRootFilesystem ?? false,
    mayMakeNamespaces: seccomp === "Unconfined",
  };
}

function planEnv(container: Container, place: PodPlace): Record<string, string> {
  const env: Record<string, string> = {};
  for (const { configMapRef, secretRef } of container.envFrom ?? []) {
    const ref = configMapRef ?? secretRef;
    if (!ref) continue;
    const data = place.read(configMapRef ? "ConfigMap" : "Secret", ref.name);
    if (!data && ref.optional !== true) throw absent(place, container.name, ref.name);
    Object.assign(env, data);
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const { secretKeyRef, configMapKeyRef, fieldRef } = valueFrom ?? {};
    const key = secretKeyRef ?? configMapKeyRef;
    if (key) {
      const data = place.read(secretKeyRef ? "Secret" : "ConfigMap", key.name);
      const found = data?.[key.key];
      if (found !== undefined) env[name] = found;
      else if (key.optional !== true) throw absent(place, container.name, `${key.name}/${key.key}`);
    } else if (fieldRef) env[name] = fieldOf(place, fieldRef.fieldPath);
    else env[name] = listeningIn(place, expand(value ?? "", env));
  }
  return env;
}

/** A setting with the address to listen on, as it is where pods share a network stack. */
const listeningIn = ({ sharesNetwork, ip }: PodPlace, setting: string): string =>
  sharesNetwork ? setting.replace(/(?<![\d.])0\.0\.0\.0(?![\d./])/, ip) : setting;

/** `$(NAME)` of variables that are set before; `$$(` gives `$(`. */
function expand(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\$|\$\(([A-Za-z_][A-Za-z0-9_.-]*)\)/g, (match, name?: string) =>
    name === undefined ? "$" : (env[name] ?? match),
  );
}

function fieldOf(place: PodPlace, path: string): string {
  switch (path) {
    case "status.podIP":
      return place.ip;
    case "metadata.name":
      return place.name;
    case "metadata.namespace":
      return place.namespace;
    default:
      throw terminal("invalid-config", `pod ${place.name}: the field ${path} is not known here`);
  }
}

function planVolume(volume: Volume | undefined, name: string, place: PodPlace): Mount["source"] {
  if (volume?.configMap) {
    const { name: map, items } = volume.configMap;
    return { files: selected(place.read("ConfigMap", map) ?? raise(absent(place, name, map)), items) };
  }
  if (volume?.secret) {
    const { secretName, items, optional } = volume.secret;
    const data = place.read("Secret", secretName);
    if (!data && optional !== true) throw absent(place, name, secretName);
    return { files: selected(data ?? {}, items) };
  }
  // emptyDir, and claims of a StatefulSet, which are not among the pod's volumes.
  return { volume: name };
}

function selected(
  data: Readonly<Record<string, string>>,
  items: readonly KeyPath[] | undefined,
): Record<string, string> {
  if (!items) return { ...data };
  return Object.fromEntries(items.map(({ key, path }) => [path, data[key] ?? ""]));
}

function absent(place: PodPlace, where: string, what: string): Error {
  return terminal("invalid-config", `pod ${place.namespace}/${place.name}, ${where}: ${what} is not there`);
}

function raise(error: Error): never {
  throw error;
}
