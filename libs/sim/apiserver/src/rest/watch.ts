import { apiVersionOf, type Predicate, storageOf } from "@microremed/sim-kinds";
import { badRequest, expired, type KubeObject, StatusError, toStatus } from "@microremed/sim-objects";
import type { WatchEvent } from "@microremed/sim-store";
import type { ApiContext, Call } from "../context/context.ts";
import { boolParam, intParam } from "../http/query.ts";
import { asServed, selected, tableOptions } from "./read.ts";
import { acceptedForm, render } from "./representation.ts";

/** A real server ends a watch that names no time after 30 to 60 minutes. Wall clock, as clients' own deadlines. */
const defaultTimeoutSeconds = 1800;
/** The API server's defaultBookmarkFrequency. */
const bookmarkEveryMs = 60_000;

type EventType = "ADDED" | "MODIFIED" | "DELETED";

/** A change as seen by a client that receives only matching objects. */
function seenThrough(matches: Predicate, event: WatchEvent): EventType | undefined {
  const now = event.type !== "DELETED" && matches(event.object);
  const before =
    event.type === "DELETED" ? matches(event.object) : event.type === "MODIFIED" && wasMatching();
  if (now) return before ? "MODIFIED" : "ADDED";
  return before ? "DELETED" : undefined;

  function wasMatching(): boolean {
    return event.type === "MODIFIED" && event.previous !== undefined && matches(event.previous);
  }
}

function readVersion(text: string | null): number {
  if (text === null || text === "") return 0;
  if (!/^\d{1,15}$/.test(text))
    throw badRequest(`Invalid value: ${JSON.stringify(text)}: invalid resource version`);
  return Number(text);
}

/** Streams changes until the client goes, time is up or the reader falls behind. Answers the response itself. */
export function watchObjects(context: ApiContext, call: Call): void {
  const { type, target, query, response, signal } = call;
  const since = readVersion(query.get("resourceVersion"));
  const matches = selected(call);
  const inScope: Predicate = (object) =>
    (target.namespace === undefined || object.metadata.namespace === target.namespace) && matches(object);
  const form = acceptedForm(call.request.headers.accept);
  const timeoutSeconds = intParam(query, "timeoutSeconds") || defaultTimeoutSeconds;
  const bookmarks = boolParam(query, "allowWatchBookmarks");
  const ref = storageOf(type);
  let withColumns = true;

  response.writeHead(200, { "content-type": "application/json", "transfer-encoding": "chunked" });
  response.flushHeaders();

  /** What the client got at the start may be large; only what comes after it counts as falling behind. */
  let startLength = Number.POSITIVE_INFINITY;

  function write(eventType: string, json: Buffer): void {
    response.write(context.watchLine(eventType, json));
    if (response.writableLength <= startLength + context.unread.bytes()) return;
    end();
    response.destroy();
  }

  function emit(eventType: EventType, object: KubeObject): void {
    const options = { ...tableOptions(context, call), withColumns };
    write(eventType, render(type, asServed(type, object), form, options).bytes());
    withColumns = false;
  }

  function pass(event: WatchEvent): void {
    const seen = seenThrough(inScope, event);
    if (seen) emit(seen, event.object);
  }

  function bookmark(annotations?: Record<string, string>): void {
    const metadata = {
      resourceVersion: String(context.store.resourceVersion),
      creationTimestamp: null,
      ...(annotations && { annotations }),
    };
    const object = { kind: type.kind, apiVersion: apiVersionOf(type), metadata };
    write("BOOKMARK", Buffer.from(JSON.stringify(object)));
  }

  const leave = context.unread.enter();
  let stop = (): void => {};
  let ended = false;
  function end(): void {
    if (ended) return;
    ended = true;
    leave();
    stop();
    clearTimeout(deadline);
    clearInterval(ticking);
    signal.removeEventListener("abort", end);
    response.end();
  }
  function refuse(error: StatusError): void {
    write("ERROR", Buffer.from(JSON.stringify(toStatus(error))));
    end();
  }
  /** The store went back to an earlier state: what the client knows may never have happened. */
  const expire = (): void => refuse(expired(context.store.resourceVersion, context.store.resourceVersion));
  const deadline = setTimeout(() => {
    if (bookmarks && form === "object") bookmark();
    end();
  }, timeoutSeconds * 1000);
  const ticking = setInterval(() => bookmarks && form === "object" && bookmark(), bookmarkEveryMs);
  deadline.unref();
  ticking.unref();
  response.on("close", end);
  signal.addEventListener("abort", end);

  try {
    const initial = boolParam(query, "sendInitialEvents", since === 0);
    if (initial) {
      for (const object of context.store.list(ref, target.namespace)) {
        if (inScope(object)) emit("ADDED", object);
      }
      if (query.get("sendInitialEvents")) bookmark({ "k8s.io/initial-events-end": "true" });
    } else if (since > 0) {
      for (const event of context.store.changesSince(ref, since)) pass(event);
    }
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    refuse(error);
    return;
  }
  startLength = response.writableLength;
  context.untaken.give(call.user, response, startLength);
  if (!ended) stop = context.store.watch(ref, pass, expire);
}
