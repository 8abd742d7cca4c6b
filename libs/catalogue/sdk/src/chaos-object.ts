import { createHash } from "node:crypto";
import {
  type Chaos,
  harnessNamespace,
  isRefused,
  type Kind,
  kinds,
  labelsOf,
  managedLabels,
} from "@microremed/cluster";
import { isLate, terminal, waitFor } from "@microremed/core";
import { selectorOf, selectorText } from "./environment/selectors.ts";
import type { FaultContext, FaultStatus, WithParameters } from "./fault.ts";
import { targetOf } from "./target.ts";

/** Cluster time. Slow disks take up to 10 s to unmount, the rest a second or two. */
const recoveryTimeoutMs = 60_000;
const conflictStatus = 409;

/** A fault that is one object of Chaos Mesh. */
export interface ChaosObject<P> {
  readonly kind: Kind<Chaos>;
  readonly name: string;
  /** Duration of the experiment, s; absent: until it is deleted. */
  readonly durationSeconds?: number;
  /** Everything of `spec` but mode, selector and duration. */
  readonly spec: (context: FaultContext & WithParameters<P>) => Readonly<Record<string, unknown>>;
}

/** inject, status and remove of a fault, and the kind of its cause. */
export interface ChaosFunctions<P> {
  readonly cause: Kind<Chaos>;
  inject(context: FaultContext & WithParameters<P>): Promise<void>;
  status(context: FaultContext): Promise<FaultStatus>;
  remove(context: FaultContext): Promise<void>;
}

/** inject, status and remove of a fault that is one Chaos Mesh object on one random pod of the target. */
export function chaosObject<P>(chaos: ChaosObject<P>): ChaosFunctions<P> {
  const read = (context: FaultContext): Promise<Chaos | undefined> => {
    const { namespace, name } = placeOf(context, chaos.name);
    return context.cluster.get(chaos.kind, namespace, name);
  };

  const create = async (context: FaultContext & WithParameters<P>): Promise<void> => {
    const { cluster, namespace } = context;
    await cluster.create({
      apiVersion: chaos.kind.apiVersion,
      kind: chaos.kind.kind,
      metadata: placeOf(context, chaos.name),
      spec: {
        mode: "one",
        selector: { namespaces: [namespace], labelSelectors: labelsOfTarget(context) },
        ...chaos.spec(context),
        ...(chaos.durationSeconds !== undefined && { duration: `${chaos.durationSeconds}s` }),
      },
    });
  };

  const remove = async (context: FaultContext): Promise<void> => {
    const { cluster, signal } = context;
    const { namespace, name } = placeOf(context, chaos.name);
    if (!(await cluster.delete(chaos.kind, namespace, name))) return;
    const gone = async () => ((await read(context)) === undefined ? true : undefined);
    const wait = { clock: cluster.clock, intervalMs: 1000, ...(signal && { signal }) };
    const what = `${chaos.kind.kind} ${namespace}/${name} to recover`;
    try {
      await waitFor({ ...wait, what, timeoutMs: recoveryTimeoutMs }, gone);
    } catch (error) {
      if (!isLate(error)) throw error;
      await dropFinalizers(context);
      await waitFor({ ...wait, what: `${what} without its finalizers`, timeoutMs: recoveryTimeoutMs }, gone);
    }
  };

  /** Chaos Mesh cannot recover: replace the target's pods, which ends every fault, and let the object go. */
  const dropFinalizers = async (context: FaultContext): Promise<void> => {
    const { cluster, namespace } = context;
    const labelSelector = selectorText(labelsOfTarget(context));
    for (const pod of await cluster.list(kinds.pod, { namespace, labelSelector })) {
      await cluster.delete(kinds.pod, namespace, pod.metadata.name);
    }
    const body = { metadata: { finalizers: null } };
    const place = placeOf(context, chaos.name);
    try {
      await cluster.patch(chaos.kind, place.namespace, place.name, { type: "merge", body });
    } catch (error) {
      if (!isRefused(error, 404)) throw error;
    }
  };

  return {
    cause: chaos.kind,
    async inject(context) {
      try {
        await create(context);
      } catch (error) {
        if (!isRefused(error, conflictStatus)) throw error;
        await remove(context);
        await create(context);
      }
    },
    async status(context) {
      return describe(await read(context), chaos);
    },
    remove,
  };
}

/** The labels by which the target's workload finds its pods. */
function labelsOfTarget({ environment, target }: FaultContext): Readonly<Record<string, string>> {
  const place = targetOf(environment, target);
  if (!place)
    throw terminal("invalid-request", `${environment.name} has no workload behind ${JSON.stringify(target)}`);
  return selectorOf(place.name, place.workload);
}

/** In the arena under a descriptive name; concealed, in the harness's namespace under a neutral one. */
function placeOf(
  { namespace, concealment }: FaultContext,
  name: string,
): { namespace: string; name: string; labels: Readonly<Record<string, string>> } {
  if (concealment !== "neutral") return { namespace, name, labels: managedLabels };
  return { namespace: harnessNamespace, name: neutralName(namespace, name), labels: labelsOf(namespace) };
}

/** The same for every replica and every delivery, so that what one has made another one finds. */
function neutralName(namespace: string, name: string): string {
  return `x${createHash("sha256").update(`${namespace}/${name}`).digest("hex").slice(0, 12)}`;
}

function describe(
  object: Chaos | undefined,
  { kind, name, durationSeconds }: Pick<ChaosObject<unknown>, "kind" | "name" | "durationSeconds">,
): FaultStatus {
  if (!object) {
    return { present: false, injected: false, pods: [], expiresAt: null, note: `no ${kind.kind} ${name}` };
  }
  const is = (type: string): boolean =>
    object.status?.conditions?.some((one) => one.type === type && one.status === "True") ?? false;
  const createdAt = Date.parse(object.metadata.creationTimestamp ?? "");
  const phase = object.status?.experiment?.desiredPhase ?? "none";
  const records = object.status?.experiment?.containerRecords ?? [];
  const hit = records.filter((record) => record.phase === "Injected");
  const shown = records.map((record) => `${record.id} ${record.phase}`);
  return {
    present: true,
    injected: phase === "Run" && is("AllInjected"),
    // <namespace>/<pod>, for some kinds followed by the container.
    pods: hit.flatMap((record) => record.id.split("/")[1] ?? []),
    expiresAt: durationSeconds === undefined ? null : createdAt + durationSeconds * 1000,
    note: `${kind.kind} ${name}: desired phase ${phase}, AllInjected ${is("AllInjected")}, records [${shown.join(", ")}]`,
  };
}
