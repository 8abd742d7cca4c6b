import type { KubeObject } from "@microremed/sim-objects";
import { backoffMs } from "../model/backoff.ts";
import { createChaosRecorder } from "../model/chaos-events.ts";
import type { ChaosDeps } from "../model/chaos-kind.types.ts";
import { chaosRef } from "../model/refs.ts";
import type { ChildKind } from "./child-status.ts";

export interface ChildSpecification extends ChildKind {
  /** Cluster time of the daemon's call, ms, from .. to. */
  readonly callMs: readonly [number, number];
  /** Puts the spec onto the machine; returns further status fields. Throws an Error with the daemon's message. */
  enforce(child: KubeObject): object | undefined;
}

/**
 * Enforces the internal objects of one kind: acts only on a generation not yet observed or after a failure, never
 * checks whether the fault is still there, and leaves it on the machine when the object is deleted.
 */
export function startChildController(spec: ChildSpecification, deps: ChaosDeps): () => void {
  const { store, loop } = deps;
  const rng = deps.rng.fork(spec.kind);
  const ref = chaosRef(spec.plural);
  const record = createChaosRecorder({ store, loop, rng: rng.fork("events") });
  const failures = loop.keep(new Map<string, number>());
  const busy = loop.keep(new Set<string>());

  function consider(child: KubeObject): void {
    const { uid, generation = 1 } = child.metadata;
    const { observedGeneration = 0, failedMessage } = child.status ?? {};
    if (busy.has(uid) || (observedGeneration >= generation && !failedMessage)) return;
    busy.add(uid);
    const [from, to] = spec.callMs;
    const wait = failedMessage ? Math.max(200, backoffMs(failures.get(uid) ?? 1)) : 0;
    loop.after(wait + from + rng.int(to - from + 1), `chaos ${spec.plural} call`, () => {
      busy.delete(uid);
      enforce(child);
    });
  }

  function enforce({ metadata: { namespace, name, uid } }: KubeObject): void {
    const child = store.get(ref, namespace, name);
    if (!child || child.metadata.uid !== uid) {
      failures.delete(uid);
      if (child) consider(child);
      return;
    }
    const { generation = 1 } = child.metadata;
    const { failedMessage: _old, ...known } = child.status ?? {};
    try {
      const fields = spec.enforce(child);
      failures.delete(uid);
      finish(child, { ...known, ...fields, observedGeneration: generation });
    } catch (thrown) {
      const failedMessage = thrown instanceof Error ? thrown.message : String(thrown);
      failures.set(uid, (failures.get(uid) ?? 0) + 1);
      record(child, { type: "Warning", reason: "Failed", from: spec.plural, message: failedMessage });
      finish(child, { ...known, failedMessage, observedGeneration: generation });
    }
  }

  function finish(child: KubeObject, status: object): void {
    const written = store.update(ref, { ...child, status }, { status: true });
    record(written, {
      type: "Normal",
      reason: "Updated",
      from: spec.plural,
      message: "Successfully update ObservedGeneration and FailedMessage of resource",
    });
    consider(written);
  }

  const stop = store.watch(ref, (event) => {
    if (event.type !== "DELETED") consider(event.object);
  });
  for (const child of store.list(ref)) consider(child);
  return stop;
}
