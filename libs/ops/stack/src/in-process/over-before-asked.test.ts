import { injectFailure, prepareArena } from "@microremed/arena";
import { type Cluster, kinds } from "@microremed/cluster";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { aToolUser } from "./testing/tool-user.ts";

const catalogue = await builtInCatalogue();
const incident = { failure: "network-policy-deny", target: "time-service", timeoutSeconds: 60 } as const;

/** A cluster on which policies vanish during a long wait. */
const forgetting = (cluster: Cluster, namespace: string): Cluster => ({
  ...cluster,
  clock: {
    ...cluster.clock,
    async sleep(ms, signal) {
      if (ms > 30_000)
        for (const { metadata } of await cluster.list(kinds.networkPolicy, { namespace }))
          await cluster.delete(kinds.networkPolicy, namespace, metadata.name);
      await cluster.clock.sleep(ms, signal);
    },
  },
});

test("a fault that is over when the question is due has had no effect; one that stays is asked for in time", async () => {
  await using user = await aToolUser(catalogue, catalogue.environments.get("simple-micro"));
  const { arena, cluster } = user;
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const forgetful = { ...arena, cluster: forgetting(cluster, arena.namespace) };
  expect(await injectFailure(forgetful, { ...incident, askedAfter: 200 })).toMatchObject({
    status: "no-effect",
    reason: expect.stringContaining("was over before the question was due"),
  });
  const stays = await injectFailure(arena, { ...incident, askedAfter: 200 });
  if (stays.status !== "ok") throw new Error(stays.reason);
  const { injectedAt, askedFrom = 0 } = stays.injection;
  expect(Math.round((askedFrom - injectedAt) / 1000)).toBe(200);
});
