import { setTimeout as delay } from "node:timers/promises";
import { pathOf } from "./kinds.ts";
import type { Kind, KubeObject } from "./kube-object.ts";
import type { Transport } from "./transport.ts";

export interface WatchTarget {
  readonly kind: Kind;
  readonly namespace: string | undefined;
  readonly labelSelector: string | undefined;
}

/** Objects by namespace and name, kept current. */
export type LiveObjects = Map<string, KubeObject>;

interface ListAnswer {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly items?: readonly KubeObject[];
}

/** client-node ends a watch that is silent for 30 s; it then goes on where it was. */
const watchSeconds = 300;
const pauseMs = 200;

const keyOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ""}/${metadata.name}`;

/**
 * Lists and then watches one kind until the signal aborts, calling `changed` after every change of `live`.
 * A lost connection or an expired resourceVersion is healed by listing again; it rejects when listing fails.
 */
export async function watchObjects(
  transport: Transport,
  target: WatchTarget,
  live: LiveObjects,
  changed: () => void,
  signal: AbortSignal,
): Promise<void> {
  const path = pathOf(target.kind, target.namespace);
  const query = { labelSelector: target.labelSelector };
  while (!signal.aborted) {
    const list = await transport.call<ListAnswer>("GET", path, { query, signal });
    live.clear();
    for (const item of list.items ?? []) live.set(keyOf(item), item);
    changed();
    let version = list.metadata?.resourceVersion;
    while (version !== undefined && !signal.aborted) {
      version = await watchFrom(version);
      await delay(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  /** One watch connection. Returns where to go on, undefined when a new list is needed. */
  async function watchFrom(from: string): Promise<string | undefined> {
    const { Watch } = await import("@kubernetes/client-node");
    const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
    let version: string | undefined = from;
    let open = true;
    const seen = (type: string, object: KubeObject): void => {
      if (!open || signal.aborted) return;
      if (type === "ERROR") {
        end(new Error("the resourceVersion expired"));
        return;
      }
      version = object.metadata.resourceVersion ?? version;
      if (type === "BOOKMARK") return;
      if (type === "DELETED") live.delete(keyOf(object));
      else live.set(keyOf(object), object);
      changed();
    };
    const options = {
      ...query,
      resourceVersion: from,
      allowWatchBookmarks: true,
      timeoutSeconds: watchSeconds,
    };
    const connected = new Watch(transport.config).watch(path, options, seen, end);
    connected.catch(end);
    const abort = (): void => end(undefined);
    signal.addEventListener("abort", abort, { once: true });
    const error = await ended;
    signal.removeEventListener("abort", abort);
    open = false;
    connected.then(
      (connection) => connection.abort(),
      () => {},
    );
    const goesOn = !error || (error instanceof Error && error.name === "TimeoutError");
    return goesOn ? version : undefined;
  }
}
