import { resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { arena, deployedWorld } from "./testing/deployed-world.ts";

test("a claim that is being deleted goes with the pods that mount it, and places no new one", () => {
  using world = deployedWorld("hotel-reservation");
  const { store, loop } = world;
  const claim = () => store.get(resources.persistentVolumeClaims, arena, "geo-pvc");
  const pods = () =>
    store
      .list(resources.pods, arena)
      .filter(({ metadata }) => metadata.labels?.["io.kompose.service"] === "mongodb-geo");
  const [first] = pods();
  loop.advance(60_000);
  store.delete(resources.persistentVolumeClaims, arena, "geo-pvc");
  loop.advance(5_000);
  expect(claim()?.metadata.deletionTimestamp, "its pod still mounts it").toBeDefined();
  store.delete(resources.pods, arena, first?.metadata.name ?? "");
  loop.advance(1_000);
  const waiting = pods().find(({ metadata }) => metadata.deletionTimestamp === undefined);
  const reason = JSON.stringify(waiting?.status?.conditions);
  expect(reason).toMatch(/persistentvolumeclaim \\"geo-pvc\\" (is being deleted|not found)/);
  loop.advance(60_000);
  expect(claim()).toBeUndefined();
});

test("a claim grows, and its file system with it, only where its storage class can enlarge volumes", () => {
  using world = deployedWorld("hotel-reservation");
  const { store, loop, machine } = world;
  loop.advance(60_000);
  const claim = () => store.get(resources.persistentVolumeClaims, arena, "geo-pvc");
  const size = (): number | undefined =>
    machine.sandboxes
      .values()
      .find(({ volumes }) => volumes.has("geo"))
      ?.volumes.get("geo")?.capacity;
  const ask = (storage: string): void => {
    const is = claim();
    if (!is) throw new Error("no claim");
    store.update(resources.persistentVolumeClaims, {
      ...is,
      spec: { ...is.spec, resources: { requests: { storage } } },
    });
    loop.advance(5_000);
  };
  expect(size()).toBe(2 ** 30);
  ask("2Gi");
  expect([size(), claim()?.status?.capacity]).toEqual([2 ** 30, { storage: "1Gi" }]);
  const local = store.get(resources.storageClasses, undefined, "local-path");
  if (!local) throw new Error("no storage class");
  store.update(resources.storageClasses, { ...local, allowVolumeExpansion: true });
  ask("3Gi");
  expect([size(), claim()?.status?.capacity]).toEqual([3 * 2 ** 30, { storage: "3Gi" }]);
});
