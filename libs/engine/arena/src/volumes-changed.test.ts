import { kinds } from "@microremed/cluster";
import { builtInCatalogue } from "@microremed/registry";
import { judgedFault, verifyRecovery } from "@microremed/verification";
import { expect, test } from "vitest";
import { injectFailure } from "./inject-failure.ts";
import { prepareArena } from "./prepare-arena.ts";
import { restoreArena } from "./restore-arena.ts";
import { arenaOn, openLocalWorld } from "./testing/world.ts";

const catalogue = await builtInCatalogue();
const boutique = catalogue.environments.get("online-boutique");
const { namespace } = boutique;
const command = { failure: "cpu-stress", target: "cartservice", timeoutSeconds: 60 };

test("a store whose files are deleted while it still answers forbids a recovery, and the arena is deployed again", async () => {
  using world = openLocalWorld(boutique);
  const { cluster } = world;
  const arena = arenaOn(cluster, boutique);
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const inStore = async (script: string): Promise<void> => {
    const [pod] = await cluster.list(kinds.pod, { namespace, labelSelector: "app=redis-cart" });
    const { name = "" } = pod?.metadata ?? {};
    const where = { namespace, pod: name, container: "redis", timeoutMs: 10_000 };
    expect(await cluster.exec({ ...where, command: ["sh", "-c", script] })).toMatchObject({ exitCode: 0 });
  };
  await inStore("for i in 1 2 3 4; do echo data > /data/$i; done");
  const body = await injectFailure(arena, command);
  if (body.status !== "ok") throw new Error(body.reason);
  const { baseline, injection } = body;
  const [failed] = await cluster.list(kinds.pod, { namespace, labelSelector: "app=cartservice" });
  await cluster.delete(kinds.pod, namespace, failed?.metadata.name ?? "");
  await inStore("rm /data/1 /data/2 /data/3");
  const verdict = await verifyRecovery(
    { ...arena, target: command.target },
    judgedFault(catalogue, command.failure),
    { baseline, injection, remedyAt: null, persistence: "once" },
    120,
  );
  expect(verdict).toMatchObject({ recovered: false });
  expect(verdict.reason).toContain("has lost files: 4 -> 1");
  const { how, damage } = await restoreArena(arena, { ...command, baseline, timeoutSeconds: 600 });
  expect(how).toBe("redeployed");
  expect(damage?.changes[0]).toMatchObject({
    class: "breaks",
    object: expect.stringMatching(/^Pod\/redis-cart-/),
  });
});
