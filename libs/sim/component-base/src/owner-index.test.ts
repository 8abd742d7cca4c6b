import { createRng, silentLogger } from "@microremed/core";
import { resources } from "@microremed/sim-objects";
import { createStore } from "@microremed/sim-store";
import { createEventLoop } from "@microremed/sim-time";
import { expect, test } from "vitest";
import { createOwnerIndex } from "./owner-index.ts";

test("follows objects from one controller to another, to none, and away", () => {
  using loop = createEventLoop({ startAt: 0, timeScale: 1, log: silentLogger });
  const store = createStore({ now: loop.now, rng: createRng("test") });
  const index = createOwnerIndex({ store, loop }, resources.pods);
  const ownedBy = (uid: string) => [
    { apiVersion: "apps/v1", kind: "ReplicaSet", name: uid, uid, controller: true },
  ];
  const pod = { apiVersion: "v1", kind: "Pod" };
  const metadata = { name: "web", namespace: "arena" };
  const names = () => [index.of("one"), index.of("two"), index.orphans("arena")].map((each) => each.length);

  store.create(resources.pods, { ...pod, metadata: { ...metadata, ownerReferences: ownedBy("one") } });
  expect(names()).toEqual([1, 0, 0]);
  const own = (uid: string | undefined) =>
    store.mutate(resources.pods, "arena", "web", (old) => ({
      ...old,
      metadata: { ...old.metadata, ownerReferences: uid ? ownedBy(uid) : [] },
    }));
  own("two");
  expect(names()).toEqual([0, 1, 0]);
  own(undefined);
  expect(names()).toEqual([0, 0, 1]);
  store.delete(resources.pods, "arena", "web", { gracePeriodSeconds: 0 });
  expect(names()).toEqual([0, 0, 0]);
});
