import { injectFailure, prepareArena } from "@microremed/arena";
import { otherImageName } from "@microremed/catalogue";
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
  expect(Math.abs((askedFrom - injectedAt) / 1000 - 200)).toBeLessThan(2);
});

/** A cluster that restarts a workload's first containers once, in the last seconds before the question. */
function restarting(cluster: Cluster, namespace: string, workload: string): Cluster {
  // The measurement comes after a long wait, and then another one.
  let wasLong = false;
  const restart = async (): Promise<void> => {
    wasLong = false;
    const pods = await cluster.list(kinds.pod, { namespace, labelSelector: `app=${workload}` });
    for (const { metadata, spec } of pods) {
      const [container] = spec?.containers ?? [];
      if (!container) continue;
      const image = otherImageName(container.image ?? "") ?? "";
      const body = { spec: { containers: [{ name: container.name, image }] } };
      await cluster.patch(kinds.pod, namespace, metadata.name, { type: "strategic", body });
    }
  };
  return {
    ...cluster,
    clock: {
      ...cluster.clock,
      async sleep(ms, signal) {
        const isLast = wasLong && ms > 10_000;
        if (ms > 100_000) wasLong = true;
        else if (isLast) await restart();
        // The containers have 30 s to end, which is about what is left.
        await cluster.clock.sleep(isLast ? ms + 2_000 : ms, signal);
      },
    },
  };
}

test("a load on a container that is restarted after its last measurement is not asked about", async () => {
  await using user = await aToolUser(catalogue, catalogue.environments.get("simple-micro"));
  const { arena, cluster } = user;
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const restarts = { ...arena, cluster: restarting(cluster, arena.namespace, "time-service") };
  const stress = {
    failure: "cpu-stress",
    target: "time-service",
    timeoutSeconds: 60,
    askedAfter: 200,
  } as const;
  expect(await injectFailure(restarts, stress)).toMatchObject({
    status: "no-effect",
    reason: expect.stringContaining("was over before the question: "),
  });
});
