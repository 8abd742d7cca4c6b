import { strict as assert } from "node:assert";
import { setTimeout as delay } from "node:timers/promises";
import { makeInformer, Watch } from "@kubernetes/client-node";
import { area } from "../area.ts";
import type { CaseContext } from "../case.types.ts";
import { configMap } from "../manifests.ts";
import { client, given, http } from "../steps/index.ts";
import { labelled, maps, version } from "./some-maps.ts";

interface Seen {
  readonly type: string;
  readonly object: {
    readonly kind?: string;
    readonly metadata: { readonly name?: string; readonly resourceVersion?: string; readonly annotations?: object };
    readonly code?: number;
  };
}

/** Watches until enough events are there; they are what `act` caused, and what was there before. */
async function watched({ target, fill, signal }: CaseContext, path: string, query: object, enough: number, act: () => Promise<unknown>): Promise<readonly Seen[]> {
  const events: Seen[] = [];
  let ended: unknown;
  const request = await new Watch(target.config).watch(
    fill(path),
    query as Record<string, string>,
    (type, object) => void events.push({ type, object }),
    (error) => {
      ended = error ?? "closed";
    },
  );
  await act();
  while (events.length < enough && ended === undefined) await delay(30, undefined, { signal });
  request.abort();
  return events;
}

const kindsOf = (events: readonly Seen[]): string[] => events.map(({ type, object }) => `${type} ${object.metadata.name}`);

export const watches = area("watches", {
  "send what exists, then what changes": [
    given(configMap("one")),
    client(async ({ core }, context) => {
      const { namespace } = context;
      const events = await watched(context, maps, { fieldSelector: "metadata.name=one" }, 3, async () => {
        await core.replaceNamespacedConfigMap({ namespace, name: "one", body: { metadata: { name: "one" }, data: { a: "1" } } });
        await core.deleteNamespacedConfigMap({ namespace, name: "one" });
      });
      assert.deepEqual(kindsOf(events), ["ADDED one", "MODIFIED one", "DELETED one"]);
    }),
  ],
  "go on from a list": [
    given(configMap("one")),
    client(async ({ core }, context) => {
      const { namespace } = context;
      const resourceVersion = version(await core.listNamespacedConfigMap({ namespace }));
      const events = await watched(context, maps, { resourceVersion }, 1, () => core.createNamespacedConfigMap({ namespace, body: { metadata: { name: "two" } } }));
      assert.deepEqual(kindsOf(events), ["ADDED two"]);
    }),
  ],
  "miss nothing between list and watch": [
    client(async ({ core }, context) => {
      const { namespace } = context;
      const resourceVersion = version(await core.listNamespacedConfigMap({ namespace }));
      await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: "early" } } });
      assert.deepEqual(kindsOf(await watched(context, maps, { resourceVersion }, 1, async () => {})), ["ADDED early"]);
    }),
  ],
  "an object that stops matching is deleted, one that begins is added": [
    given(labelled("one", { a: "1" })),
    client(async ({ core }, context) => {
      const { namespace } = context;
      const label = (a: string) => core.replaceNamespacedConfigMap({ namespace, name: "one", body: { metadata: { name: "one", labels: { a } } } });
      const events = await watched(context, maps, { labelSelector: "a=1" }, 3, async () => {
        await label("2");
        await label("1");
      });
      assert.deepEqual(kindsOf(events), ["ADDED one", "DELETED one", "ADDED one"]);
    }),
  ],
  "an initial list ends with a bookmark": [
    given(configMap("one")),
    client(async (_clients, context) => {
      const query = { sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan", allowWatchBookmarks: "true", fieldSelector: "metadata.name=one" };
      const events = await watched(context, maps, query, 2, async () => {});
      if (events[0]?.type === "ERROR" || events.length === 0) return;
      assert.equal(events.at(-1)?.type, "BOOKMARK");
      assert.deepEqual(events.at(-1)?.object.metadata.annotations, { "k8s.io/initial-events-end": "true" });
    }),
  ],
  "end when their time is over": [http(`GET ${maps}?watch=true&timeoutSeconds=1&resourceVersion=0&fieldSelector=metadata.name%3Dnope`, 200)],
  "as tables, one row at a time": [
    given(configMap("one")),
    http(`GET ${maps}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Done`, 200, /"kind":"Table"/, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" }),
  ],
  "an informer keeps a cache": [
    given(labelled("one", { a: "1" })),
    client(async ({ core }, { target, namespace, signal }) => {
      const list = () => core.listNamespacedConfigMap({ namespace, labelSelector: "a=1" });
      const informer = makeInformer(target.config, `/api/v1/namespaces/${namespace}/configmaps`, list, "a=1");
      await informer.start();
      try {
        await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: "two", labels: { a: "1" } } } });
        await core.deleteNamespacedConfigMap({ namespace, name: "one" });
        while (!(informer.get("two", namespace) && !informer.get("one", namespace))) await delay(30, undefined, { signal });
      } finally {
        await informer.stop();
      }
    }),
  ],
});
