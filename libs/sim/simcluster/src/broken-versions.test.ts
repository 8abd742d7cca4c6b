import { resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { arena, deployedWorld } from "./testing/deployed-world.ts";

test("a version that does not start ends again and again, with its own exit code", () => {
  using world = deployedWorld("hotel-reservation");
  const { store, loop } = world;
  store.mutate(resources.deployments, arena, "geo", (deployment) => {
    const changed = structuredClone(deployment);
    changed.spec.template.spec.containers[0].image = "yinfangchen/hotelreservation:broken";
    return changed;
  });
  loop.advance(60_000);
  const pods = store
    .list(resources.pods, arena)
    .filter(({ metadata }) => metadata.labels?.["io.kompose.service"] === "geo");
  const broken = pods.find(({ spec }) => spec.containers[0].image.endsWith(":broken"));
  expect(broken?.status.containerStatuses[0]).toMatchObject({
    ready: false,
    lastState: { terminated: { exitCode: 2, reason: "Error" } },
  });
});
