import { createRng, silentLogger } from "@microremed/core";
import { type KubeObject, resources } from "@microremed/sim-objects";
import { createStore } from "@microremed/sim-store";
import { createEventLoop } from "@microremed/sim-time";
import { expect, test } from "vitest";
import { createEventRecorder } from "./event-recorder.ts";

function recording() {
  const loop = createEventLoop({ startAt: 0, timeScale: 1, log: silentLogger });
  const store = createStore({ now: loop.now, rng: createRng("test") });
  store.create(resources.namespaces, {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "arena" },
  });
  const pod = store.create(resources.pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", namespace: "arena" },
  });
  const { record } = createEventRecorder({ store, loop });
  const say = (message: string, about: KubeObject = pod): void =>
    record({ component: "kubelet" }, about, { type: "Warning", reason: "BackOff", message });
  const counts = () => store.list(resources.events).map((event) => event["count"]);
  return { loop, store, pod, say, counts };
}

test("an equal event raises the count of the first, until an hour without it", () => {
  const { loop, say, counts } = recording();
  using _ = loop;
  say("again");
  say("again");
  say("another");
  expect(counts().toSorted()).toEqual([1, 2]);
  loop.advance(2 * 3_600_000);
  expect(counts()).toEqual([]);
});

test("one source says 25 things about an object at once, then one every five minutes", () => {
  const { loop, say, counts } = recording();
  using _ = loop;
  for (let each = 0; each < 40; each++) say(`message ${each}`);
  expect(counts()).toHaveLength(25);
  loop.advance(300_000);
  say("later");
  say("too soon");
  expect(counts()).toHaveLength(26);
});

test("an event about an object of a namespace that is gone is dropped", () => {
  const { loop, pod, say, counts } = recording();
  using _ = loop;
  say("late", { ...pod, metadata: { ...pod.metadata, namespace: "gone", uid: "2" } });
  expect(counts()).toEqual([]);
});
