import type { Rng } from "@microremed/core";
import type { KubeObject } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { type EventLoop, rfc3339 } from "@microremed/sim-time";
import { eventsRef } from "./refs.ts";

export interface ChaosEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  /** The controller that says so. */
  readonly from: string;
  /** Details that Chaos Mesh puts into annotations under `chaos-mesh.org/`. */
  readonly details?: Readonly<Record<string, string>>;
}

/** The API server's --event-ttl, ms. */
const timeToLiveMs = 3_600_000;

/** Records Kubernetes events about chaos objects: one Event object each, never aggregated. */
export function createChaosRecorder(deps: {
  readonly store: Store;
  readonly loop: EventLoop;
  readonly rng: Rng;
}): (about: KubeObject, event: ChaosEvent) => void {
  const suffix = (): string =>
    deps.rng
      .int(2 ** 30)
      .toString(16)
      .padStart(8, "0") +
    deps.rng
      .int(2 ** 30)
      .toString(16)
      .padStart(8, "0");
  return (about, event) => {
    const at = rfc3339(deps.loop.now());
    const { name, namespace = "default", uid, resourceVersion } = about.metadata;
    const annotations = Object.entries(event.details ?? {}).map(([key, value]) => [
      `chaos-mesh.org/${key}`,
      value,
    ]);
    const stored = deps.store.create(eventsRef, {
      apiVersion: "v1",
      kind: "Event",
      metadata: {
        name: `${name}.${suffix()}`,
        namespace,
        ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
      },
      involvedObject: {
        kind: about.kind,
        namespace,
        name,
        uid,
        apiVersion: about.apiVersion,
        resourceVersion,
      },
      type: event.type,
      reason: event.reason,
      message: event.message,
      source: { component: event.from },
      firstTimestamp: at,
      lastTimestamp: at,
      count: 1,
      eventTime: null,
      reportingComponent: event.from,
      reportingInstance: "",
    });
    deps.loop.after(timeToLiveMs, "chaos event expires", () => {
      const left = deps.store.get(eventsRef, namespace, stored.metadata.name);
      if (left) deps.store.delete(eventsRef, namespace, stored.metadata.name);
    });
  };
}
