import type { KubeObject } from "@microremed/sim-objects";
import { backoffMs } from "../model/backoff.ts";
import { createChaosRecorder } from "../model/chaos-events.ts";
import type { ChaosDeps, ChaosKind } from "../model/chaos-kind.types.ts";
import { recordsOf, statusOf, withConditions } from "../model/experiment.ts";
import { nextOperation } from "../model/records.ts";
import { chaosRef } from "../model/refs.ts";
import { endsAt } from "./desired-phase.ts";
import { createExperimentQueue, reactionMs, type Work } from "./experiment-queue.ts";
import { createExperimentSteps } from "./experiment-steps.ts";
import { createExperimentWriter } from "./experiment-writer.ts";
import { operate } from "./operate.ts";
import { watchExperiments } from "./watch-experiments.ts";

/** A selection that finds nothing is repeated this often; then only when the object changes. */
const selectionTries = 3;

/**
 * Reconciles the experiments of one kind: finalizer, desired phase, selection, conditions, records, finalizer again.
 * Returns the way to stop.
 */
export function startPipeline(kind: ChaosKind, deps: ChaosDeps): () => void {
  const { store, loop } = deps;
  const rng = deps.rng.fork(kind.kind);
  const impl = kind.create(deps);
  const ref = chaosRef(kind.plural);
  const writer = createExperimentWriter(
    store,
    ref,
    createChaosRecorder({ store, loop, rng: rng.fork("events") }),
  );
  const steps = createExperimentSteps({ kind, store, rng, writer, now: () => loop.now() });
  const queue = createExperimentQueue(loop, kind.plural, reconcile);
  let stopped = false;

  const enqueue = (object: KubeObject, delayMs?: number): void =>
    queue.add(namespaceOf(object), object.metadata.name, delayMs);

  function reconcile(namespace: string, name: string, work: Work): void {
    if (stopped) return;
    const found = store.get(ref, namespace, name);
    if (!found) {
      work.cancelExpiry?.();
      queue.forget(namespace, name);
      return;
    }
    if (found.spec?.remoteCluster) return;
    if (work.calling) {
      work.again = true;
      return;
    }
    const phased = steps.keepPhase(steps.initFinalizer(found));
    const selected = steps.keepSelection(phased, () => {
      work.selections += 1;
      if (work.selections < selectionTries) enqueue(phased, 200);
    });
    const object = steps.keepConditions(selected);
    armExpiry(object, work);
    if (hasPending(object)) callDaemon(object, work);
    else cleanFinalizer(object);
  }

  function armExpiry(object: KubeObject, work: Work): void {
    const end = endsAt(object);
    if (work.cancelExpiry || end === undefined || end <= loop.now()) return;
    work.cancelExpiry = loop.after(end - loop.now(), `chaos ${kind.plural} time up`, () => {
      work.cancelExpiry = undefined;
      enqueue(object);
    });
  }

  function callDaemon(object: KubeObject, work: Work): void {
    work.calling = true;
    const [from, to] = hasWaiting(object) || work.failures > 0 ? [5, 20] : kind.callMs;
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
      queue.add(namespace, name);
      return;
    }
    const result = operate(object, impl, desiredPhaseOf(object), loop.now());
    const written = writer.write(result.object);
    const same = written.metadata.resourceVersion === object.metadata.resourceVersion;
    writer.announce(written, result.events, same ? undefined : "records/records");
    if (result.failed) {
      work.failures += 1;
      enqueue(object, Math.max(reactionMs, backoffMs(work.failures)));
      return;
    }
    work.failures = 0;
    // A record that waits for its child object goes on with the child's next status.
    const waits = hasWaiting(written);
    const settled = writer.write(withConditions(written));
    if (waits) cleanFinalizer(settled);
    if (!waits || work.again) enqueue(object);
    work.again = false;
  }

  function cleanFinalizer(object: KubeObject): void {
    if (steps.cleanFinalizer(object)) enqueue(object);
  }

  const stopWatching = watchExperiments(deps, kind, { enqueue, isWriting: writer.isWriting });

  return () => {
    stopped = true;
    stopWatching();
  };
}

const namespaceOf = (object: KubeObject): string => object.metadata.namespace ?? "default";

const desiredPhaseOf = (object: KubeObject) => statusOf(object).experiment.desiredPhase ?? "Run";

const hasPending = (object: KubeObject): boolean =>
  (recordsOf(object) ?? []).some(({ phase }) => nextOperation(phase, desiredPhaseOf(object)) !== undefined);

const hasWaiting = (object: KubeObject): boolean =>
  (recordsOf(object) ?? []).some(({ phase }) => phase.endsWith("/Wait"));
