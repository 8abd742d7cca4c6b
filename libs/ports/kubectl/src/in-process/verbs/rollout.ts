import { type KubeObject, kinds, type Workload } from "@microremed/cluster";
import { isLate } from "@microremed/core";
import { type Call, durationMs, flagOf, noSubcommand } from "../call.ts";
import { KubectlFailure, notSimulated } from "../failures.ts";
import { findObjects, kindOf, nameOf, readSelection } from "../select-objects.ts";
import { patchEach } from "./change.ts";

/** `kubectl rollout restart|status|undo|pause|resume` */
export async function rollout(call: Call): Promise<string> {
  const [what = "", ...operands] = call.operands;
  if (what === "restart") return restart(call, operands);
  if (what === "status") return status(call, operands);
  if (what === "undo") return undo(call, operands);
  if (what === "pause" || what === "resume") return setPaused(call, operands, what);
  throw noSubcommand("rollout", call);
}

/** As kubectl, it refuses what changes nothing. */
function setPaused(call: Call, operands: readonly string[], what: "pause" | "resume"): Promise<string> {
  const paused = what === "pause";
  return patchEach(call, operands, `${what}d`, (object) => {
    const { kind = "", metadata } = object;
    if (kind !== "Deployment") throw new KubectlFailure(`error: ${nameOf(object)} pausing is not supported`);
    const isPaused = (object as Workload & { spec?: { paused?: boolean } }).spec?.paused === true;
    if (isPaused === paused)
      throw new KubectlFailure(
        `error: deployments.apps ${JSON.stringify(metadata.name)} is ${paused ? "already" : "not"} paused`,
      );
    return { type: "merge", body: { spec: { paused } } };
  });
}

async function restart(call: Call, operands: readonly string[]): Promise<string> {
  const restartedAt = new Date(await call.cluster.clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
  const annotations = { "kubectl.kubernetes.io/restartedAt": restartedAt };
  const body = { spec: { template: { metadata: { annotations } } } };
  return patchEach(call, operands, "restarted", () => ({ type: "strategic", body }));
}

/** Undefined: rolled out. */
function unfinished({ metadata, spec, status, kind }: Workload): string | undefined {
  const { replicas = 1 } = spec ?? {};
  const name = metadata.name;
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0))
    return `Waiting for ${kind?.toLowerCase()} spec update to be observed...`;
  const { updatedReplicas = 0, replicas: all = 0, availableReplicas = 0, readyReplicas = 0 } = status ?? {};
  if (kind === "StatefulSet") {
    if (readyReplicas < replicas) return `Waiting for ${replicas - readyReplicas} pods to be ready...`;
    if (status?.updateRevision !== status?.currentRevision)
      return `waiting for statefulset rolling update to complete ${updatedReplicas} pods at revision ${status?.updateRevision}...`;
    return undefined;
  }
  const waiting = `Waiting for deployment ${JSON.stringify(name)} rollout to finish:`;
  if (updatedReplicas < replicas)
    return `${waiting} ${updatedReplicas} out of ${replicas} new replicas have been updated...`;
  if (all > updatedReplicas)
    return `${waiting} ${all - updatedReplicas} old replicas are pending termination...`;
  if (availableReplicas < updatedReplicas)
    return `${waiting} ${availableReplicas} of ${updatedReplicas} updated replicas are available...`;
  return undefined;
}

const isOverdue = ({ status }: KubeObject): boolean =>
  ((status as { conditions?: { type?: string; reason?: string }[] } | undefined)?.conditions ?? []).some(
    ({ type, reason }) => type === "Progressing" && reason === "ProgressDeadlineExceeded",
  );

async function status(call: Call, operands: readonly string[]): Promise<string> {
  const said: string[] = [];
  for (const object of await findObjects(call, readSelection(operands, call.custom)))
    said.push(await awaitRollout(call, object));
  return said.join("");
}

async function awaitRollout(call: Call, object: KubeObject): Promise<string> {
  const { cluster } = call;
  const kind = kindOf(object);
  const { namespace, name } = object.metadata;
  const limit = flagOf(call, "timeout");
  const timeoutMs = Math.min(
    limit === undefined ? Number.POSITIVE_INFINITY : durationMs(limit),
    await call.timeLeft(),
  );
  const lines: string[] = [];
  const options = { what: `the rollout of ${name}`, timeoutMs, kinds: [kind] };
  try {
    await cluster.waitUntil({ ...options, ...(namespace !== undefined && { namespace }) }, (view) => {
      const now = view.list(kind).find(({ metadata }) => metadata.name === name);
      if (!now) throw new KubectlFailure(`error: object has been deleted`);
      const left = unfinished({ ...now, kind: kind.kind } as Workload);
      if (left === undefined) return true;
      if (kind.kind === "Deployment" && isOverdue(now))
        throw new KubectlFailure(`error: deployment ${JSON.stringify(name)} exceeded its progress deadline`);
      if (lines.at(-1) !== left) lines.push(left);
      return undefined;
    });
  } catch (error) {
    if (!isLate(error)) throw error;
    throw new KubectlFailure([...lines, "error: timed out waiting for the condition"].join("\n"));
  }
  const done =
    kind.kind === "StatefulSet"
      ? `partitioned roll out complete: ${(object as Workload).spec?.replicas ?? 1} new pods have been updated...`
      : `${kind.kind.toLowerCase()} ${JSON.stringify(name)} successfully rolled out`;
  return [...lines, done].map((line) => `${line}\n`).join("");
}

const revisionKey = "deployment.kubernetes.io/revision";

async function undo(call: Call, operands: readonly string[]): Promise<string> {
  const said: string[] = [];
  for (const object of await findObjects(call, readSelection(operands, call.custom))) {
    if (object.kind === "Deployment") await undoDeployment(call, object);
    else if (object.kind === "StatefulSet" || object.kind === "DaemonSet") await undoByRevision(call, object);
    else throw notSimulated(`rollout undo of a ${object.kind}`);
    said.push(`${nameOf(object)} rolled back\n`);
  }
  return said.join("");
}

/** The revision that is asked for, or the one before the newest. */
function chosen<T>(call: Call, history: readonly { readonly revision: number; readonly of: T }[]): T {
  const asked = Number(flagOf(call, "to-revision") ?? "0");
  const sorted = history.toSorted((a, b) => b.revision - a.revision);
  const found = asked > 0 ? sorted.find(({ revision }) => revision === asked) : sorted[1];
  if (!found)
    throw new KubectlFailure(
      asked > 0
        ? `error: unable to find specified revision ${asked} in history`
        : "error: no rollout history found",
    );
  return found.of;
}

const isOwnedBy =
  (owner: KubeObject) =>
  (object: KubeObject): boolean =>
    (object.metadata.ownerReferences ?? []).some(({ uid }) => uid === owner.metadata.uid);

async function undoDeployment(call: Call, object: KubeObject): Promise<void> {
  const { namespace = "", name } = object.metadata;
  const sets = (await call.cluster.list(kinds.replicaSet, { namespace })).filter(isOwnedBy(object));
  const history = sets.map((of) => ({ revision: Number(of.metadata.annotations?.[revisionKey] ?? 0), of }));
  const { spec } = chosen(call, history);
  const { "pod-template-hash": _hash, ...labels } = { ...spec?.template?.metadata?.labels };
  const value = { ...spec?.template, metadata: { ...spec?.template?.metadata, labels } };
  const body = [{ op: "replace", path: "/spec/template", value }];
  await call.cluster.patch(kinds.deployment, namespace, name, { type: "json", body });
}

async function undoByRevision(call: Call, object: KubeObject): Promise<void> {
  const { namespace = "", name } = object.metadata;
  const kind = { apiVersion: "apps/v1", kind: "ControllerRevision" };
  const revisions = (await call.cluster.list(kind, { namespace })).filter(isOwnedBy(object));
  const history = revisions.map((of) => ({ revision: Number(of["revision"] ?? 0), of }));
  const body = chosen(call, history)["data"];
  await call.cluster.patch(kindOf(object), namespace, name, { type: "strategic", body });
}
