import type { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "@microremed/core";
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

interface Frame {
  readonly type: string;
  readonly object: KubeObject;
}

const watchSeconds = 300;
const pauseAfterErrorMs = 200;

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
    }
  }

  /** One watch connection. Returns where to go on, undefined when a new list is needed. */
  async function watchFrom(from: string): Promise<string | undefined> {
    let version = from;
    try {
      const response = await transport.open("GET", path, {
        query: {
          ...query,
          watch: true,
          resourceVersion: from,
          allowWatchBookmarks: true,
          timeoutSeconds: watchSeconds,
        },
        timeoutMs: (watchSeconds + 30) * 1000,
        signal,
      });
      for await (const line of linesOf(response)) {
        const { type, object } = JSON.parse(line) as Frame;
        if (type === "ERROR") return undefined;
        version = object.metadata.resourceVersion ?? version;
        if (type === "BOOKMARK") continue;
        if (type === "DELETED") live.delete(keyOf(object));
        else live.set(keyOf(object), object);
        changed();
      }
      return version;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (error instanceof AppError && error.code === "cluster-refused") return undefined;
      await delay(pauseAfterErrorMs, undefined, { signal }).catch(() => {});
      return undefined;
    }
  }
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of response.setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
}
