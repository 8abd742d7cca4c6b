import type { Fault } from "@microremed/catalogue";
import { type Cluster, kinds } from "@microremed/cluster";
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

test("a fault is like a noise by revisions and fractions of a second: its change is followed by a hidden write, too", async () => {
  using world = openLocalWorld(environment);
  const writes: { readonly object: string; readonly at: number }[] = [];
  const note = async (kind = "", name = ""): Promise<void> => {
    writes.push({ object: `${kind} ${name}`, at: await world.cluster.clock.now() });
  };
  const cluster: Cluster = {
    ...world.cluster,
    async apply(object) {
      await note(object.kind, object.metadata.name);
      return await world.cluster.apply(object);
    },
    async patch(kind, namespace, name, patch) {
      await note(kind.kind, name);
      return await world.cluster.patch(kind, namespace, name, patch);
    },
  };
  const arena = arenaOn(cluster, environment);
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  writes.length = 0;
  const { status } = await injectFailure(arena, {
    ...{ failure: "wrong-binary-command", target: "hello-service", timeoutSeconds: 120, askedAfter: 120 },
    ...{ historySeconds: 120, seed: "1" },
    noise: [
      { noise: "harmless-rollout", target: "time-service", ago: 60 },
      { noise: "grace-raised", target: "time-service", ago: -20 },
    ],
  });
  expect(status).toBe("ok");
  const changes = writes.flatMap(({ object, at }, i) =>
    object.startsWith("Deployment ") ? [{ object, at, next: writes[i + 1] }] : [],
  );
  expect(changes.map(({ object }) => object)).toEqual([
    "Deployment time-service",
    "Deployment hello-service",
    "Deployment time-service",
  ]);
  expect(new Set(changes.map(({ at }) => at % 1000)).size).toBe(1);
  const record = `Secret arena-${environment.namespace}`;
  expect(changes.map(({ next, at }) => next && [next.object, next.at - at])).toEqual(
    changes.map(() => [record, 0]),
  );
});
