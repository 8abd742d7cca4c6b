import { type KubeObject, resources } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { type EventLoop, rfc3339 } from "@microremed/sim-time";

interface EventSource {
  readonly component: string;
  readonly host?: string;
}

/** An event to record; `fieldPath` names a part of the object, e.g. `spec.containers{server}`. */
export interface NewEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  readonly fieldPath?: string;
}

/** Writes the events that `kubectl get events` shows. */
export interface EventRecorder {
  /** Records an event about an object; an equal one raises the count of the first. */
  record(source: EventSource, about: KubeObject, event: NewEvent): void;
}

/** As the API server's --event-ttl: an event lives an hour after it was last seen. */
const timeToLiveMs = 3_600_000;
/** client-go's spam filter: this many events of one source about one object, then one every five minutes. */
const burst = 25;
const refillMs = 300_000;

interface Known {
  readonly namespace: string;
  readonly name: string;
  readonly lastAt: number;
}

interface Bucket {
  readonly tokens: number;
  readonly filledAt: number;
}

function eventOf(source: EventSource, about: KubeObject, event: NewEvent, at: string) {
  const { apiVersion, kind, metadata } = about;
  return {
    apiVersion: "v1",
    kind: "Event",
    involvedObject: {
      kind,
      ...(metadata.namespace && { namespace: metadata.namespace }),
      name: metadata.name,
      uid: metadata.uid,
      apiVersion,
      resourceVersion: metadata.resourceVersion,
      ...(event.fieldPath && { fieldPath: event.fieldPath }),
    },
    reason: event.reason,
    message: event.message,
    source,
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
    type: event.type,
    eventTime: null,
    reportingComponent: source.component,
    reportingInstance: source.host ?? "",
  };
}

/**
 * Records events as client-go does: equal ones are counted together, floods are dropped, and each is deleted an hour
 * of cluster time after it was last seen.
 */
export function createEventRecorder(deps: {
  readonly store: Store;
  readonly loop: EventLoop;
}): EventRecorder {
  const { store, loop } = deps;
  const known = loop.keep(new Map<string, Known>());
  const buckets = loop.keep(new Map<string, Bucket>());
  const made = loop.keep({ count: 0 });

  function maySend(key: string, now: number): boolean {
    const bucket = buckets.get(key) ?? { tokens: burst, filledAt: now };
    const refilled = Math.floor((now - bucket.filledAt) / refillMs);
    const tokens = Math.min(burst, bucket.tokens + refilled);
    const filledAt = bucket.filledAt + refilled * refillMs;
    buckets.set(key, { tokens: Math.max(0, tokens - 1), filledAt });
    return tokens >= 1;
  }

  function expire(): void {
    const now = loop.now();
    for (const [key, { namespace, name, lastAt }] of known) {
      if (now - lastAt < timeToLiveMs) continue;
      known.delete(key);
      if (store.get(resources.events, namespace, name)) store.delete(resources.events, namespace, name);
    }
    for (const [key, { filledAt }] of buckets) if (now - filledAt > burst * refillMs) buckets.delete(key);
  }
  loop.every(timeToLiveMs / 12, "events.expire", expire);

  return {
    record(source, about, event) {
      const now = loop.now();
      const { uid, name, namespace = "default" } = about.metadata;
      if (!maySend(`${source.component}/${source.host ?? ""}/${uid}`, now)) return;
      const key = [
        source.component,
        source.host,
        uid,
        event.fieldPath,
        event.type,
        event.reason,
        event.message,
      ].join("\n");
      const at = rfc3339(now);
      const first = known.get(key);
      const raised =
        first &&
        store.mutate(resources.events, first.namespace, first.name, (old) => ({
          ...old,
          count: Number(old["count"] ?? 0) + 1,
          lastTimestamp: at,
        }));
      if (first && raised) {
        known.set(key, { ...first, lastAt: now });
        return;
      }
      // As on a real cluster an event may come too late for a namespace that is gone or going.
      const home = store.get(resources.namespaces, undefined, namespace);
      if (!home || home.metadata.deletionTimestamp) return;
      // As in client-go the name holds the time in nanoseconds, so events list in the order in which they came.
      const suffix = (BigInt(now) * 1_000_000n + BigInt(made.count++ % 1_000_000)).toString(16);
      const created = store.create(resources.events, {
        ...eventOf(source, about, event, at),
        metadata: { name: `${name}.${suffix}`, namespace },
      });
      known.set(key, { namespace, name: created.metadata.name, lastAt: now });
    },
  };
}
