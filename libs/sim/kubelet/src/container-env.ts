import { createHash } from "node:crypto";
import { type KubeObject, type ResourceRef, resources } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { ContainerSpec, EnvSource } from "./container-spec.ts";

type Values = Record<string, string>;

/** An environment, or why the container can't be configured, in the kubelet's words. */
export type ContainerEnv = { readonly env: Values } | { readonly error: string };

class ConfigError extends Error {}

export interface PodFacts {
  readonly pod: KubeObject;
  readonly podIP: string;
  readonly hostIP: string;
}

function dataOf(
  store: Store,
  namespace: string | undefined,
  kind: "configmap" | "secret",
  name: string,
): Values | undefined {
  const resource: ResourceRef = kind === "configmap" ? resources.configMaps : resources.secrets;
  const object = store.get(resource, namespace, name);
  if (!object) return undefined;
  const data = (object["data"] ?? {}) as Values;
  if (kind === "configmap") return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64").toString("utf8")]),
  );
}

/** A field of the downward API. Throws for one that it does not have. */
export function fieldOf({ pod, podIP, hostIP }: PodFacts, path: string): string {
  const subscript = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (subscript) {
    const group = subscript[1] === "labels" ? pod.metadata.labels : pod.metadata.annotations;
    const key = subscript[2] ?? "";
    return group && Object.hasOwn(group, key) ? (group[key] ?? "") : "";
  }
  const fields: Values = {
    "metadata.name": pod.metadata.name,
    "metadata.namespace": pod.metadata.namespace ?? "",
    "metadata.uid": pod.metadata.uid,
    "spec.nodeName": pod.spec.nodeName ?? "",
    "spec.serviceAccountName": pod.spec.serviceAccountName ?? "default",
    "status.hostIP": hostIP,
    "status.hostIPs": hostIP,
    "status.podIP": podIP,
    "status.podIPs": podIP,
  };
  const value = Object.hasOwn(fields, path) ? fields[path] : undefined;
  if (value === undefined) throw new ConfigError(`unsupported fieldPath: ${path}`);
  return value;
}

function expand(text: string, values: Values): string {
  return text.replace(/\$\$|\$\(([^)]+)\)/g, (all, name) =>
    all === "$$" ? "$" : Object.hasOwn(values, name) ? (values[name] ?? all) : all,
  );
}

/** `$(NAME)` in a command or its arguments. */
export function expandAll(words: readonly string[], env: Values): readonly string[] {
  return words.map((word) => expand(word, env));
}

/** By service: every container that starts asks for all of its namespace. */
const links = new WeakMap<KubeObject, Values>();

function linksTo(service: KubeObject): Values {
  const known = links.get(service);
  if (known) return known;
  const values: Values = {};
  links.set(service, values);
  const { clusterIP, ports = [] } = service.spec;
  const first = ports[0];
  if (!clusterIP || clusterIP === "None" || !first) return values;
  const prefix = service.metadata.name.toUpperCase().replaceAll("-", "_");
  values[`${prefix}_SERVICE_HOST`] = clusterIP;
  values[`${prefix}_SERVICE_PORT`] = String(first.port);
  values[`${prefix}_PORT`] = `tcp://${clusterIP}:${first.port}`;
  for (const { name, port } of ports) {
    if (name) values[`${prefix}_SERVICE_PORT_${name.toUpperCase().replaceAll("-", "_")}`] = String(port);
    values[`${prefix}_PORT_${port}_TCP`] = `tcp://${clusterIP}:${port}`;
    values[`${prefix}_PORT_${port}_TCP_PROTO`] = "tcp";
    values[`${prefix}_PORT_${port}_TCP_PORT`] = String(port);
    values[`${prefix}_PORT_${port}_TCP_ADDR`] = clusterIP;
  }
  return values;
}

/** A Service of the pod's namespace takes the place of the API server's, if it has that name. */
function serviceLinks(store: Store, pod: KubeObject): Values {
  const own =
    pod.spec.enableServiceLinks === false ? [] : store.list(resources.services, pod.metadata.namespace);
  const kubernetes = store.get(resources.services, "default", "kubernetes");
  const isHidden = own.some(
    ({ metadata, spec }) => metadata.name === "kubernetes" && spec.clusterIP !== "None",
  );
  const values: Values = {};
  for (const service of kubernetes && !isHidden ? [...own, kubernetes] : own)
    Object.assign(values, linksTo(service));
  return values;
}

/** The environment of a container as the kubelet puts it together when it creates the container. */
export function resolveEnv(
  store: Store,
  facts: PodFacts & { readonly hostname: string },
  spec: ContainerSpec,
): ContainerEnv {
  const { pod, hostname } = facts;
  const { namespace } = pod.metadata;
  const env: Values = { HOSTNAME: hostname, ...serviceLinks(store, pod) };

  function addAll(
    kind: "configmap" | "secret",
    ref: { name: string; optional?: boolean } | undefined,
    prefix: string,
  ): void {
    if (!ref) return;
    const data = dataOf(store, namespace, kind, ref.name);
    if (!data && !ref.optional) throw new ConfigError(`${kind} "${ref.name}" not found`);
    for (const [key, value] of Object.entries(data ?? {})) env[prefix + key] = value;
  }

  function fromKey(
    kind: "configmap" | "secret",
    ref: { name: string; key: string; optional?: boolean },
  ): string | undefined {
    const data = dataOf(store, namespace, kind, ref.name);
    if (!data && !ref.optional) throw new ConfigError(`${kind} "${ref.name}" not found`);
    const value = data && Object.hasOwn(data, ref.key) ? data[ref.key] : undefined;
    if (value !== undefined || ref.optional) return value;
    const title = kind === "configmap" ? "ConfigMap" : "Secret";
    throw new ConfigError(`couldn't find key ${ref.key} in ${title} ${namespace}/${ref.name}`);
  }

  function resolve({ value, valueFrom }: EnvSource): string | undefined {
    if (valueFrom?.fieldRef) return fieldOf(facts, valueFrom.fieldRef.fieldPath);
    if (valueFrom?.configMapKeyRef) return fromKey("configmap", valueFrom.configMapKeyRef);
    if (valueFrom?.secretKeyRef) return fromKey("secret", valueFrom.secretKeyRef);
    if (valueFrom?.resourceFieldRef) {
      const [group, name] = valueFrom.resourceFieldRef.resource.split(".");
      return spec.resources?.[group as "limits" | "requests"]?.[name ?? ""] ?? "0";
    }
    return expand(value ?? "", env);
  }

  try {
    for (const { prefix = "", configMapRef, secretRef } of spec.envFrom ?? []) {
      addAll("configmap", configMapRef, prefix);
      addAll("secret", secretRef, prefix);
    }
    for (const source of spec.env ?? []) {
      const value = resolve(source);
      if (value !== undefined) env[source.name] = value;
    }
  } catch (error) {
    if (error instanceof ConfigError) return { error: error.message };
    throw error;
  }
  return { env };
}

/** A container's id, from what makes it unique. */
export function containerId(podUid: string, name: string, restarts: number, startedAt: number): string {
  return createHash("sha256").update(`${podUid}/${name}/${restarts}/${startedAt}`).digest("hex");
}
