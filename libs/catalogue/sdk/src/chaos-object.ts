import { createHash } from "node:crypto";
import {
  type Chaos,
  harnessNamespace,
  isRefused,
  type Kind,
  type KubeObject,
  kinds,
  labelsOf,
  managedLabels,
} from "@microremed/cluster";
import { isLate, terminal, waitFor } from "@microremed/core";
import { selectorText } from "./environment/selectors.ts";
import type { FaultContext, FaultStatus, WithParameters } from "./fault.ts";
import { podToHit, rhythmOf, scheduled, scheduleOf } from "./flapping.ts";
import { targetOf } from "./target.ts";

/** Cluster time. Slow disks take up to 10 s to unmount, the rest a second or two. */
const recoveryTimeoutMs = 60_000;
const conflictStatus = 409;
const scheduleKind = kinds.chaosSchedule as Kind<Chaos>;

/** A fault that is one object of Chaos Mesh. */
export interface ChaosObject<P> {
  readonly kind: Kind<Chaos>;
  readonly name: string;
  /** Duration of the experiment, s; absent: until it is deleted. */
  readonly durationSeconds?: number;
  /** It does one thing and ends: a Schedule of Chaos Mesh does it again so often, s, and always to the same pod. */
  readonly everySeconds?: (context: WithParameters<P>) => number;
  /** Everything of `spec` but mode, selector and duration. */
  readonly spec: (context: FaultContext & WithParameters<P>) => Readonly<Record<string, unknown>>;
}

/** inject, status and remove of a fault, and the kind of its cause. */
export interface ChaosFunctions<P> {
  readonly cause: Kind<Chaos>;
  readonly canFlap?: true;
  readonly canRepeat: true;
  inject(context: FaultContext & WithParameters<P>): Promise<void>;
  status(context: FaultContext): Promise<FaultStatus>;
  remove(context: FaultContext): Promise<void>;
}

/** inject, status and remove of a fault that is one Chaos Mesh object on one random pod of the target. */
export function chaosObject<P>(chaos: ChaosObject<P>): ChaosFunctions<P> {
  const isScheduled = ({ flap }: FaultContext): boolean =>
    flap !== undefined || chaos.everySeconds !== undefined;
  /** The object, or the Schedule that makes one after the other. */
  const madeKind = (context: FaultContext): Kind => (isScheduled(context) ? kinds.chaosSchedule : chaos.kind);

  /** What of the fault is in the cluster, the objects that act last. */
  const read = async (
    context: FaultContext,
  ): Promise<{ made: KubeObject | undefined; acting: readonly Chaos[] }> => {
    const place = placeOf(context, chaos.name);
    const made = await context.cluster.get(madeKind(context), place.namespace, place.name);
    if (isScheduled(context)) return { made, acting: await scheduled(context, chaos.kind, place) };
    return { made, acting: made ? [made as Chaos] : [] };
  };

  const create = async (context: FaultContext & WithParameters<P>): Promise<void> => {
    const { cluster, namespace, flap } = context;
    const labels = labelsOfTarget(context);
    const metadata = placeOf(context, chaos.name);
    const spec = { mode: "one", ...chaos.spec(context) };
    if (isScheduled(context)) {
      const pod = await podToHit(context, labels);
      const selector = { pods: { [namespace]: pod === undefined ? [] : [pod] } };
      const rhythm = flap ? rhythmOf(flap) : { everySeconds: chaos.everySeconds?.(context) ?? 1 };
      await cluster.create(scheduleOf(chaos.kind, metadata, { selector, ...spec }, rhythm));
      return;
    }
    await cluster.create({
      apiVersion: chaos.kind.apiVersion,
      kind: chaos.kind.kind,
      metadata,
      spec: {
        selector: { namespaces: [namespace], labelSelectors: labels },
        ...spec,
        ...(chaos.durationSeconds !== undefined && { duration: `${chaos.durationSeconds}s` }),
      },
    });
  };

  const remove = async (context: FaultContext): Promise<void> => {
    const { cluster, signal } = context;
    const { namespace, name } = placeOf(context, chaos.name);
    const isThere = await cluster.delete(madeKind(context), namespace, name);
    // Chaos Mesh takes away what a Schedule has made when that is gone; one that was deleted before may have left some.
    const { acting } = await read(context);
    if (!isThere && acting.length === 0) return;
    if (isScheduled(context))
      for (const { metadata } of acting) await cluster.delete(chaos.kind, namespace, metadata.name);
    const gone = async () => {
      const { made, acting } = await read(context);
      return made === undefined && acting.length === 0 ? true : undefined;
    };
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
    const { acting } = await read(context);
    for (const { metadata } of acting) {
      try {
        await cluster.patch(chaos.kind, metadata.namespace, metadata.name, { type: "merge", body });
      } catch (error) {
        if (!isRefused(error, 404)) throw error;
      }
    }
  };

  return {
    cause: chaos.everySeconds ? scheduleKind : chaos.kind,
    ...(!chaos.everySeconds && { canFlap: true }),
    canRepeat: true,
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
      const { made, acting } = await read(context);
      if (!isScheduled(context)) return describe(acting[0], chaos);
      const all = acting.map((one) => describe(one, chaos));
      const now = all.find(({ injected }) => injected) ?? all.at(-1) ?? describe(undefined, chaos);
      return { ...now, present: made !== undefined || now.present, expiresAt: null };
    },
    remove,
  };
}

/** The labels by which the target's workload finds its pods. */
function labelsOfTarget({ environment, target }: FaultContext): Readonly<Record<string, string>> {
  const place = targetOf(environment, target);
  if (!place)
    throw terminal("invalid-request", `${environment.name} has no workload behind ${JSON.stringify(target)}`);
  return place.workload.selector;
}

/** In the arena under a descriptive name; concealed, in the harness's namespace under a neutral one. */
function placeOf(
  { namespace, concealment, repeated = 0 }: FaultContext,
  plain: string,
): { namespace: string; name: string; labels: Readonly<Record<string, string>> } {
  const name = repeated > 0 ? `${plain}-${repeated + 1}` : plain;
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
