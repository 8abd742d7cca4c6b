import { type Cluster, kinds } from "@microremed/cluster";
import { builtInCatalogue } from "@microremed/registry";
import { judgedFault, verifyRecovery } from "@microremed/verification";
import { expect, test } from "vitest";
import { type InjectOptions, injectFailure } from "./inject-failure.ts";
import { prepareArena } from "./prepare-arena.ts";
import { restoreArena } from "./restore-arena.ts";
import { arenaOn, openLocalWorld } from "./testing/world.ts";

const catalogue = await builtInCatalogue();
const boutique = catalogue.environments.get("online-boutique");
const { namespace } = boutique;
const command = { failure: "cpu-stress", target: "cartservice", timeoutSeconds: 60 };

/** Runs redis-cli in the cache. */
const clientOf =
  (cluster: Cluster) =>
  async (...words: string[]): Promise<void> => {
    const pods = await cluster.list(kinds.pod, { namespace, labelSelector: "app=redis-cart" });
    const pod = pods.find(({ metadata }) => metadata.deletionTimestamp === undefined)?.metadata.name ?? "";
    const where = { namespace, pod, container: "redis", timeoutMs: 10_000 };
    expect(await cluster.exec({ ...where, command: ["redis-cli", ...words] })).toMatchObject({ exitCode: 0 });
  };

/** An arena after an incident, and what is judged of it. */
async function arenaAfter(cluster: Cluster, incident: InjectOptions) {
  const arena = arenaOn(cluster, boutique);
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const body = await injectFailure(arena, incident);
  if (body.status !== "ok") throw new Error(body.reason);
  const { baseline, injection } = body;
  const verify = () =>
    verifyRecovery(
      { ...arena, target: incident.target },
      judgedFault(catalogue, incident.failure),
      { baseline, injection, remedyAt: null, persistence: "once" },
      60,
    );
  return { arena, baseline, verify };
}

test("a cache with other settings, users or without its keys is not as it was, until they are put back", async () => {
  using world = openLocalWorld(boutique);
  const { cluster } = world;
  const { arena, baseline, verify } = await arenaAfter(cluster, command);
  const redis = clientOf(cluster);
  const [failed] = await cluster.list(kinds.pod, { namespace, labelSelector: "app=cartservice" });
  await cluster.delete(kinds.pod, namespace, failed?.metadata.name ?? "");
  await redis("config", "set", "timeout", "1");
  await redis("config", "set", "timeout", "0");
  expect(await verify()).toMatchObject({ recovered: true, clean: true });
  await redis("flushall");
  await redis("acl", "setuser", "default", "-set");
  await redis("config", "set", "maxclients", "3");
  const refused = await verify();
  expect(refused.recovered).toBe(false);
  expect(refused.reason).toContain("its server has other settings: maxclients");
  const { how, damage } = await restoreArena(arena, { ...command, baseline, timeoutSeconds: 600 });
  expect(how).toBe("redeployed");
  const details = damage?.changes.filter(({ class: is }) => is === "breaks").map(({ detail }) => detail);
  expect(details).toEqual([
    "its server has other settings: maxclients",
    "its server gives fewer rights to default",
    "its server has deleted all that it held",
  ]);
});

test.each([-1, 30])(
  "an option that a noise gives a cache %i s before is not charged to the agent, and another value of it is",
  async (ago) => {
    using world = openLocalWorld(boutique);
    const { cluster } = world;
    const noise = [
      { noise: "argument-added", target: "redis-cart", parameters: { argument: "--maxclients 2088" }, ago },
    ];
    const control = { failure: "none", target: "cartservice", timeoutSeconds: 60, noise, askedAfter: 60 };
    const { verify } = await arenaAfter(cluster, control);
    expect(await verify()).toMatchObject({ recovered: true, clean: true });
    await clientOf(cluster)("config", "set", "maxclients", "3");
    expect((await verify()).reason).toContain("its server has other settings: maxclients");
  },
);

test.each([-1, 30])(
  "users that a noise lists for a cache %i s before are charged to no one, nor that it was undone",
  async (ago) => {
    using world = openLocalWorld(boutique);
    const { cluster } = world;
    const noise = [{ noise: "accounts-listed", target: "redis-cart", parameters: {}, ago }];
    const control = { failure: "none", target: "cartservice", timeoutSeconds: 60, noise, askedAfter: 60 };
    const { verify } = await arenaAfter(cluster, control);
    expect(await verify()).toMatchObject({ recovered: true, clean: true });
    const undoing = [{ op: "remove", path: "/spec/template/spec/containers/0/args" }];
    await cluster.patch(kinds.deployment, namespace, "redis-cart", { type: "json", body: undoing });
    await cluster.clock.sleep(60_000);
    expect(await verify()).toMatchObject({ recovered: true, clean: false });
  },
);
