import { type Cluster, isRefused, type Kind, type KubeObject } from "@microremed/cluster";
import { AppError, isJsonObject } from "@microremed/core";
import { loadAll } from "js-yaml";
import type { Arguments, ModuleContext, TaskResult } from "../module.types.ts";
import { notInterpreted } from "../template-error.ts";

const common = [
  "kind",
  "api_version",
  "name",
  "namespace",
  "kubeconfig",
  "context",
  "host",
  "validate_certs",
];
const knownOfK8s = new Set([
  ...common,
  "definition",
  "resource_definition",
  "state",
  "merge_type",
  "apply",
  "force",
  "wait",
  "wait_timeout",
  "wait_sleep",
  "wait_condition",
  "delete_options",
]);
const knownOfInfo = new Set([
  ...common,
  "label_selectors",
  "field_selectors",
  "wait",
  "wait_timeout",
  "wait_sleep",
  "wait_condition",
]);
const knownOfScale = new Set([
  ...common,
  "replicas",
  "current_replicas",
  "wait",
  "wait_timeout",
  "wait_sleep",
]);
/** kubernetes.core's default of `wait_timeout`. */
const defaultWaitSeconds = 120;

function refuseOthers(args: Arguments, known: ReadonlySet<string>, module: string): void {
  const other = Object.keys(args).find((name) => !known.has(name));
  if (other !== undefined) throw notInterpreted(`the option ${other} of ${module}`);
}

/** What the cluster refuses is the task's failure. */
async function asResult(module: string, run: () => Promise<TaskResult>): Promise<TaskResult> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof NoDefinition) return { changed: false, failed: true, msg: error.message };
    if (!(error instanceof AppError)) throw error;
    if (error.code === "deadline-exceeded")
      return { changed: true, failed: true, msg: `${module}: timed out: ${error.message}` };
    if (error.code !== "cluster-refused") throw error;
    const { status, reason, said, unserved } = error.details;
    if (unserved !== undefined) {
      const msg = `Failed to find exact match for ${unserved} by [kind, name, singularName, shortNames]`;
      return { changed: false, failed: true, msg };
    }
    return { changed: false, failed: true, msg: String(said ?? error.message), status, reason };
  }
}

/** What is given as a definition and is none: the task fails by it. */
class NoDefinition extends Error {}

function documentsIn(text: string): readonly unknown[] {
  try {
    return loadAll(text);
  } catch (error) {
    throw new NoDefinition(
      `Error loading resource_definition: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function objectsIn(args: Arguments): readonly KubeObject[] {
  const given = args["definition"] ?? args["resource_definition"] ?? {};
  const parsed: readonly unknown[] = typeof given === "string" ? documentsIn(given) : [given].flat();
  return parsed
    .flatMap((one) =>
      isJsonObject(one) && one["kind"] === "List" && Array.isArray(one["items"])
        ? (one["items"] as readonly unknown[])
        : [one],
    )
    .filter((one) => one !== null && one !== undefined)
    .map((given) => {
      if (!isJsonObject(given) || !isJsonObject(given["metadata"] ?? {}))
        throw new NoDefinition("resource_definition: expected objects with a kind and metadata");
      const one = given as unknown as KubeObject;
      const namespace = one.metadata?.namespace ?? (args["namespace"] as string | undefined);
      const name = one.metadata?.name ?? String(args["name"] ?? "");
      return {
        ...one,
        apiVersion: one.apiVersion ?? String(args["api_version"] ?? "v1"),
        kind: one.kind ?? String(args["kind"] ?? ""),
        metadata: { ...one.metadata, name, ...(namespace !== undefined && { namespace }) },
      };
    });
}

const kindOf = ({ apiVersion = "", kind = "" }: KubeObject): Kind => ({ apiVersion, kind });

/** `kubernetes.core.k8s`: state present, absent and patched. */
export function k8s(context: ModuleContext): Promise<TaskResult> {
  const { args, cluster } = context;
  refuseOthers(args, knownOfK8s, "k8s");
  const state = String(args["state"] ?? "present");
  return asResult("k8s", async () => {
    const results: TaskResult[] = [];
    for (const object of objectsIn(args)) {
      if (state === "absent") results.push(await remove(context, object));
      else if (state === "present" || state === "patched")
        results.push(await put(cluster, args, object, state));
      else throw notInterpreted(`state ${state} of k8s`);
      if (state !== "absent" && args["wait"] === true) await awaitReady(context, object);
    }
    const changed = results.some((one) => one.changed);
    const [only] = results;
    return results.length === 1 && only ? only : { changed, result: { results } };
  });
}

async function put(
  cluster: Cluster,
  args: Arguments,
  object: KubeObject,
  state: string,
): Promise<TaskResult> {
  const kind = kindOf(object);
  const { namespace, name } = object.metadata;
  const before = await cluster.get(kind, namespace, name);
  const said = (after: KubeObject, method: string): TaskResult => ({
    changed: after.metadata.resourceVersion !== before?.metadata.resourceVersion,
    method,
    result: after,
  });
  if (!before && state === "patched")
    return {
      changed: false,
      failed: false,
      msg: `resource 'kind=${kind.kind},name=${name},namespace=${namespace}' was not found but will not be created as 'state' parameter has been set to 'patched'`,
      result: {},
    };
  if (args["apply"] === true) return said(await cluster.apply(object), "apply");
  if (!before) return said(await cluster.create(object), "create");
  if (args["force"] === true) return said(await cluster.replace(object), "replace");
  const asked = args["merge_type"] ?? ["strategic-merge", "merge"];
  const [first = "strategic-merge", ...others] = (Array.isArray(asked) ? asked : [asked]).map(String);
  return said(await patchAs(cluster, kind, object, first, others), "patch");
}

async function patchAs(
  cluster: Cluster,
  kind: Kind,
  object: KubeObject,
  type: string,
  others: readonly string[],
): Promise<KubeObject> {
  const { namespace, name } = object.metadata;
  if (type !== "strategic-merge" && type !== "merge") throw notInterpreted(`merge_type ${type} of k8s`);
  const patch = { type: type === "merge" ? "merge" : "strategic", body: object } as const;
  try {
    return await cluster.patch(kind, namespace, name, patch);
  } catch (error) {
    const [next, ...rest] = others;
    // Custom resources know no strategic merge.
    if (next === undefined || !isRefused(error, 415)) throw error;
    return patchAs(cluster, kind, object, next, rest);
  }
}

async function remove(context: ModuleContext, object: KubeObject): Promise<TaskResult> {
  const { args, cluster } = context;
  const kind = kindOf(object);
  const { namespace, name } = object.metadata;
  const changed = await cluster.delete(kind, namespace, name);
  if (changed && args["wait"] === true) {
    const timeoutMs = await waitMs(context);
    const options = {
      what: `the end of ${kind.kind} ${name}`,
      timeoutMs,
      kinds: [kind],
      ...(namespace && { namespace }),
    };
    await cluster.waitUntil(options, (view) =>
      view.list(kind).some(({ metadata }) => metadata.name === name) ? undefined : true,
    );
  }
  return { changed, method: "delete", result: {} };
}

async function waitMs({ args, cluster, endsAt }: ModuleContext): Promise<number> {
  const asked = Number(args["wait_timeout"] ?? defaultWaitSeconds) * 1000;
  return Math.max(0, Math.min(asked, endsAt - (await cluster.clock.now())));
}

interface Waited extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly updatedReplicas?: number;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
    }[];
  };
}

/** What the module waits for: a condition that it is given, or what readiness of the kind is. */
async function awaitReady(context: ModuleContext, object: KubeObject): Promise<void> {
  const { args, cluster } = context;
  const kind = kindOf(object);
  const { namespace, name } = object.metadata;
  const condition = args["wait_condition"] as
    | { type?: string; status?: unknown; reason?: string }
    | undefined;
  const isReady = (now: Waited): boolean => {
    const { spec, status, metadata } = now;
    if (condition?.type !== undefined) {
      const wanted = String(condition.status ?? "True").toLowerCase();
      return (status?.conditions ?? []).some(
        (one) =>
          one.type === condition.type &&
          one.status.toLowerCase() === wanted &&
          (condition.reason === undefined || condition.reason === one.reason),
      );
    }
    if (kind.kind === "Pod")
      return (status?.conditions ?? []).some(({ type, status: is }) => type === "Ready" && is === "True");
    if (kind.kind !== "Deployment" && kind.kind !== "StatefulSet") return true;
    const replicas = spec?.replicas ?? 1;
    if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) return false;
    const up = kind.kind === "Deployment" ? status?.availableReplicas : status?.readyReplicas;
    return (
      (status?.replicas ?? 0) === replicas &&
      (up ?? 0) === replicas &&
      (replicas === 0 || (status?.updatedReplicas ?? 0) === replicas)
    );
  };
  const options = {
    what: `${kind.kind} ${name} to be ready`,
    timeoutMs: await waitMs(context),
    kinds: [kind],
  };
  await cluster.waitUntil({ ...options, ...(namespace !== undefined && { namespace }) }, (view) => {
    const now = view.list(kind).find(({ metadata }) => metadata.name === name);
    return now && isReady(now as Waited) ? true : undefined;
  });
}

/** `kubernetes.core.k8s_info` */
export function k8sInfo({ args, cluster }: ModuleContext): Promise<TaskResult> {
  refuseOthers(args, knownOfInfo, "k8s_info");
  if (args["wait"] === true) throw notInterpreted("wait of k8s_info");
  const kind = { apiVersion: String(args["api_version"] ?? "v1"), kind: String(args["kind"] ?? "") };
  const namespace = args["namespace"] as string | undefined;
  const list = (value: unknown): string => (Array.isArray(value) ? value.join(",") : String(value ?? ""));
  return asResult("k8s_info", async () => {
    if (args["name"] !== undefined) {
      const found = await cluster.get(kind, namespace, String(args["name"]));
      return { changed: false, resources: found ? [{ ...found, ...kind }] : [], api_found: true };
    }
    const labelSelector = list(args["label_selectors"]);
    const fieldSelector = list(args["field_selectors"]);
    const resources = await cluster.list(kind, {
      ...(namespace !== undefined && { namespace }),
      ...(labelSelector !== "" && { labelSelector }),
      ...(fieldSelector !== "" && { fieldSelector }),
    });
    return { changed: false, resources, api_found: true };
  });
}

/** `kubernetes.core.k8s_scale` */
export function k8sScale(context: ModuleContext): Promise<TaskResult> {
  const { args, cluster } = context;
  refuseOthers(args, knownOfScale, "k8s_scale");
  const kind = { apiVersion: String(args["api_version"] ?? "v1"), kind: String(args["kind"] ?? "") };
  const namespace = args["namespace"] as string | undefined;
  const name = String(args["name"] ?? "");
  return asResult("k8s_scale", async () => {
    const before = await cluster.get(kind, namespace, name);
    if (!before)
      return {
        changed: false,
        failed: true,
        msg: `Failed to retrieve requested object: ${kind.kind} ${name} not found`,
      };
    const replicas = Number(args["replicas"]);
    const was = (before["spec"] as { replicas?: number } | undefined)?.replicas ?? 1;
    if (args["current_replicas"] !== undefined && Number(args["current_replicas"]) !== was)
      return { changed: false, result: before };
    if (was === replicas) return { changed: false, result: before };
    const after = await cluster.patch(kind, namespace, name, { type: "merge", body: { spec: { replicas } } });
    if (args["wait"] !== false) await awaitReady(context, { ...after, ...kind });
    return { changed: true, result: after };
  });
}
