import { jsonEqual, type KubeObject } from "@microremed/sim-objects";
import { backoffMs } from "../model/backoff.ts";
import { type ChaosEvent, createChaosRecorder } from "../model/chaos-events.ts";
import type { ChaosDeps, ChaosKind } from "../model/chaos-kind.types.ts";
import { recordsOf, statusOf, withConditions, withExperiment } from "../model/experiment.ts";
import { nextOperation } from "../model/records.ts";
import { chaosRef } from "../model/refs.ts";
import { decidePhase, endsAt } from "./desired-phase.ts";
import { operate } from "./operate.ts";
import { selectRecords } from "./select-records.ts";

export const recordsFinalizer = "chaos-mesh/records";
export const cleanFinalizerAnnotation = "chaos-mesh.chaos-mesh.org/cleanFinalizer";

/** Time between a change of an object and its reconcile, ms. */
const reactionMs = 20;
/** A selection that finds nothing is repeated this often; then only when the object changes. */
const selectionTries = 3;

/** What the controller remembers of one object between reconciles; all else is in the object. */
interface Work {
  failures: number;
  selections: number;
  /** A daemon call is under way: the object waits for its end. */
  calling: boolean;
  again: boolean;
  /** The next reconcile, if one is queued. */
  queued: { readonly at: number; readonly cancel: () => void } | undefined;
  cancelExpiry: (() => void) | undefined;
}

/**
 * Reconciles the experiments of one kind: finalizer, desired phase, selection, conditions, records, finalizer again.
 * Returns the way to stop.
 */
export function startPipeline(kind: ChaosKind, deps: ChaosDeps): () => void {
  const { store, loop } = deps;
  const rng = deps.rng.fork(kind.kind);
  const impl = kind.create(deps);
  const ref = chaosRef(kind.plural);
  const record = createChaosRecorder({ store, loop, rng: rng.fork("events") });
  const works = loop.keep(new Map<string, Work>());
  let writing = false;
  let stopped = false;

  function workOf(key: string): Work {
    const known = works.get(key);
    if (known) return known;
    const fresh = loop.keep<Work>({
      failures: 0,
      selections: 0,
      calling: false,
      again: false,
      queued: undefined,
      cancelExpiry: undefined,
    });
    works.set(key, fresh);
    return fresh;
  }

  function enqueue(namespace: string, name: string, delayMs = reactionMs): void {
    const work = workOf(`${namespace}/${name}`);
    const at = loop.now() + delayMs;
    if (work.queued && work.queued.at <= at) return;
    work.queued?.cancel();
    const cancel = loop.after(delayMs, `chaos ${kind.plural} ${namespace}/${name}`, () => {
      work.queued = undefined;
      if (!stopped) reconcile(namespace, name, work);
    });
    work.queued = { at, cancel };
  }

  function write(object: KubeObject): KubeObject {
    writing = true;
    try {
      return store.update(ref, object);
    } finally {
      writing = false;
    }
  }

  function announce(object: KubeObject, events: readonly ChaosEvent[], updated?: string): void {
    for (const event of events) record(object, event);
    if (!updated) return;
    const [from, field] = updated.split("/");
    record(object, {
      type: "Normal",
      reason: "Updated",
      from: from ?? "",
      message: `Successfully update \`${field}\` of resource`,
      details: { type: "updated", field: field ?? "" },
    });
  }

  function reconcile(namespace: string, name: string, work: Work): void {
    const found = store.get(ref, namespace, name);
    if (!found) {
      work.cancelExpiry?.();
      works.delete(`${namespace}/${name}`);
      return;
    }
    if (found.spec?.remoteCluster) return;
    if (work.calling) {
      work.again = true;
      return;
    }
    let object = initFinalizer(found);
    object = keepPhase(object);
    object = keepSelection(object, work);
    object = keepConditions(object);
    armExpiry(object, work);
    if (hasPending(object)) callDaemon(object, work);
    else cleanFinalizer(object);
  }

  function initFinalizer(object: KubeObject): KubeObject {
    const { finalizers = [], deletionTimestamp } = object.metadata;
    if (deletionTimestamp || finalizers.includes(recordsFinalizer)) return object;
    const written = write({
      ...object,
      metadata: { ...object.metadata, finalizers: [...finalizers, recordsFinalizer] },
    });
    announce(
      written,
      [
        {
          type: "Normal",
          reason: "FinalizerInited",
          from: "initFinalizers",
          message: "Finalizer has been inited",
        },
      ],
      "initFinalizers/finalizers",
    );
    return written;
  }

  function keepPhase(object: KubeObject): KubeObject {
    const decision = decidePhase(object, kind.oneShot?.(object.spec) ?? false, loop.now());
    if (statusOf(object).experiment.desiredPhase === decision.phase) return object;
    const written = write(withExperiment(object, { desiredPhase: decision.phase }));
    const { reason, message } = decision;
    announce(
      written,
      [{ type: "Normal", reason, message, from: "desiredphase" }],
      "desiredphase/desiredPhase",
    );
    return written;
  }

  function keepSelection(object: KubeObject, work: Work): KubeObject {
    if (recordsOf(object) || object.metadata.deletionTimestamp) return object;
    try {
      const containerRecords = selectRecords(kind, object, store, rng.fork(object.metadata.uid));
      return write(withExperiment(object, { containerRecords }));
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      announce(object, [
        {
          type: "Warning",
          reason: "Failed",
          from: "records",
          message: `Failed to select targets: ${why}`,
          details: { type: "failed", activity: "select targets", err: why },
        },
      ]);
      work.selections += 1;
      if (work.selections < selectionTries) enqueue(namespaceOf(object), object.metadata.name, 200);
      return object;
    }
  }

  function keepConditions(object: KubeObject): KubeObject {
    const next = withConditions(object);
    return jsonEqual(next.status, object.status) ? object : write(next);
  }

  function armExpiry(object: KubeObject, work: Work): void {
    const end = endsAt(object);
    if (work.cancelExpiry || end === undefined || end <= loop.now()) return;
    work.cancelExpiry = loop.after(end - loop.now(), `chaos ${kind.plural} time up`, () => {
      work.cancelExpiry = undefined;
      enqueue(namespaceOf(object), object.metadata.name);
    });
  }

  function hasPending(object: KubeObject): boolean {
    const desired = statusOf(object).experiment.desiredPhase ?? "Run";
    return (recordsOf(object) ?? []).some(({ phase }) => nextOperation(phase, desired) !== undefined);
  }

  function callDaemon(object: KubeObject, work: Work): void {
    work.calling = true;
    const waiting = (recordsOf(object) ?? []).some(({ phase }) => phase.endsWith("/Wait"));
    const [from, to] = waiting || work.failures > 0 ? [5, 20] : kind.callMs;
    const { name } = object.metadata;
    const namespace = namespaceOf(object);
    loop.after(from + rng.int(to - from + 1), `chaos ${kind.plural} call`, () => {
      work.calling = false;
      if (!stopped) finishCall(namespace, name, work);
    });
  }

  function finishCall(namespace: string, name: string, work: Work): void {
    const object = store.get(ref, namespace, name);
    if (!object) {
      enqueue(namespace, name);
      return;
    }
    const desired = statusOf(object).experiment.desiredPhase ?? "Run";
    const result = operate(object, impl, desired, loop.now());
    const written = write(result.object);
    announce(
      written,
      result.events,
      written.metadata.resourceVersion === object.metadata.resourceVersion ? undefined : "records/records",
    );
    if (result.failed) {
      work.failures += 1;
      enqueue(namespace, name, Math.max(reactionMs, backoffMs(work.failures)));
      return;
    }
    work.failures = 0;
    // A record that waits for its child object is woken by the child's next status.
    const waits = (recordsOf(written) ?? []).some(({ phase }) => phase.endsWith("/Wait"));
    const settled = write(withConditions(written));
    if (waits) cleanFinalizer(settled);
    if (!waits || work.again) enqueue(namespace, name);
    work.again = false;
  }

  function cleanFinalizer(object: KubeObject): void {
    const { deletionTimestamp, finalizers = [], annotations } = object.metadata;
    if (!deletionTimestamp || finalizers.length === 0) return;
    const recovered = (recordsOf(object) ?? []).every(({ phase }) => phase === "Not Injected");
    if (!recovered && annotations?.[cleanFinalizerAnnotation] !== "forced") return;
    // Chaos Mesh writes an empty list, foreign finalizers go too.
    const written = write({ ...object, metadata: { ...object.metadata, finalizers: [] } });
    announce(
      written,
      [
        {
          type: "Normal",
          reason: "FinalizerInited",
          from: "cleanFinalizers",
          message: "Finalizer has been removed",
        },
      ],
      "cleanFinalizers/finalizers",
    );
    enqueue(namespaceOf(object), object.metadata.name);
  }

  const stopWatching = store.watch(ref, ({ object }) => {
    if (!writing) enqueue(namespaceOf(object), object.metadata.name);
  });
  const stopChild = kind.child ? watchChild(kind.child) : () => {};
  for (const object of store.list(ref)) enqueue(namespaceOf(object), object.metadata.name);

  function watchChild(child: string): () => void {
    return store.watch(chaosRef(child), ({ object: { metadata } }) => {
      const id = `${metadata.namespace}/${metadata.name}`;
      for (const experiment of store.list(ref))
        if ((recordsOf(experiment) ?? []).some((item) => waitsFor(item.id, id, item.phase)))
          enqueue(namespaceOf(experiment), experiment.metadata.name);
    });
  }

  return () => {
    stopped = true;
    stopWatching();
    stopChild();
  };
}

const namespaceOf = (object: KubeObject): string => object.metadata.namespace ?? "default";

const waitsFor = (recordId: string, childId: string, phase: string): boolean =>
  phase.endsWith("/Wait") && (recordId === childId || recordId.startsWith(`${childId}/`));
