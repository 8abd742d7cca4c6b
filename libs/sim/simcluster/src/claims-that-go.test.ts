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
