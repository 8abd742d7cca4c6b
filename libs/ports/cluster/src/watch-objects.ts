import { setTimeout as delay } from "node:timers/promises";
import { pathOf } from "./kinds.ts";
import type { Kind, KubeObject } from "./kube-object.ts";
import type { Transport } from "./transport.types.ts";
import { withoutNulls } from "./without-nulls.ts";

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

/** A watch that ends then goes on where it was. */
const watchSeconds = 300;
/** Between two watches, so that a server that ends each at once is not flooded. */
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
    for (const item of list.items ?? []) live.set(keyOf(item), withoutNulls(item));
    changed();
    let version = list.metadata?.resourceVersion;
    while (version !== undefined && !signal.aborted) {
      version = await watchFrom(version);
      await delay(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  /** One watch connection. Returns where to go on, undefined when a new list is needed. */
  async function watchFrom(from: string): Promise<string | undefined> {
    let version: string | undefined = from;
    let expired = false;
    const seen = (type: string, object: KubeObject): void => {
      if (type === "ERROR") expired = true;
      if (expired || signal.aborted) return;
      version = object.metadata.resourceVersion ?? version;
      if (type === "BOOKMARK") return;
      if (type === "DELETED") live.delete(keyOf(object));
      else live.set(keyOf(object), withoutNulls(object));
      changed();
    };
    const options = {
      ...query,
      resourceVersion: from,
      allowWatchBookmarks: true,
      timeoutSeconds: watchSeconds,
    };
    const goesOn = await transport.watch(path, options, seen, signal);
    return goesOn && !expired ? version : undefined;
  }
}
