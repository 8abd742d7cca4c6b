import type { Fault } from "@microremed/catalogue";
import { kinds } from "@microremed/cluster";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { injectFailure } from "./inject-failure.ts";
import { prepareArena } from "./prepare-arena.ts";
import { arenaOn, openLocalWorld } from "./testing/world.ts";

const catalogue = await builtInCatalogue();
const environment = catalogue.environments.get("simple-micro");

test("a noise comes at its time also while a fault is proven that takes long to act", async () => {
  using world = openLocalWorld(environment);
  const { cluster } = world;
  let injectedAt = Number.NaN;
  const late: Fault = {
    ...catalogue.faults.get("network-delay"),
    inject: async (context) => {
      injectedAt = await cluster.clock.now();
      await catalogue.faults.get("network-delay").inject(context);
    },
    status: async (context) => {
      const status = await catalogue.faults.get("network-delay").status(context);
      return { ...status, injected: status.injected && (await cluster.clock.now()) > injectedAt + 60_000 };
    },
  };
  const faults = { ...catalogue.faults, get: () => late };
  const arena = arenaOn(cluster, environment, environment.namespace, { ...catalogue, faults });
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const { status } = await injectFailure(arena, {
    ...{ failure: late.name, target: "time-service", timeoutSeconds: 120, askedAfter: 120 },
    noise: [{ noise: "quota-with-room", target: "", ago: -20 }],
  });
  expect(status).toBe("ok");
  const quota = await cluster.get(kinds.resourceQuota, environment.namespace, "team-quota");
  const seconds = (Date.parse(quota?.metadata.creationTimestamp ?? "") - injectedAt) / 1000;
  expect(seconds).toBeGreaterThan(18);
  expect(seconds).toBeLessThan(22);
});
