import { kinds, type Pod } from "@microremed/cluster";
import { builtInCatalogue } from "@microremed/registry";
import { judgedFault, verifyRecovery } from "@microremed/verification";
import { expect, test } from "vitest";
import { injectFailure } from "./inject-failure.ts";
import { prepareArena } from "./prepare-arena.ts";
import { restoreArena } from "./restore-arena.ts";
import { arenaOn, openLocalWorld } from "./testing/world.ts";

const catalogue = await builtInCatalogue();
const micro = catalogue.environments.get("simple-micro");
const { namespace } = micro;
const command = { failure: "cpu-stress", target: "hello-service", timeoutSeconds: 60 };

test("a program left in a neighbour's container forbids a recovery, is damage, and is gone after the restore", async () => {
  using world = openLocalWorld(micro);
  const { cluster } = world;
  const arena = arenaOn(cluster, micro);
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const body = await injectFailure(arena, command);
  if (body.status !== "ok") throw new Error(body.reason);
  const { baseline, injection } = body;
  const podOf = async (app: string): Promise<Pod> => {
    const [pod] = await cluster.list(kinds.pod, { namespace, labelSelector: `app=${app}` });
    if (!pod) throw new Error(`no pod of ${app}`);
    return pod;
  };
  const neighbour = await podOf("time-service");
  const judge = () =>
    verifyRecovery(
      { ...arena, target: command.target },
      judgedFault(catalogue, command.failure),
      { baseline, injection, remedyAt: null, persistence: "once" },
      60,
    );
  await cluster.delete(kinds.pod, namespace, (await podOf(command.target)).metadata.name);
  expect(await judge()).toMatchObject({ recovered: true, clean: true });
  const left = "nohup sleep 7200 >/dev/null 2>&1 &";
  const where = { namespace, pod: neighbour.metadata.name, container: "time-service", timeoutMs: 10_000 };
  expect(await cluster.exec({ ...where, command: ["sh", "-c", left] })).toMatchObject({ exitCode: 0 });
  const object = `Pod/${neighbour.metadata.name}`;
  const change = { where: "arena", class: "acts", object, detail: expect.stringContaining("sleep 7200") };
  expect(await judge()).toMatchObject({
    recovered: false,
    changes: [expect.objectContaining(change), expect.anything()],
  });
  const { how, damage } = await restoreArena(arena, { ...command, baseline, timeoutSeconds: 600 });
  expect([how, damage?.changes[0]]).toMatchObject(["reset", change]);
  expect((await podOf("time-service")).metadata.uid).not.toBe(neighbour.metadata.uid);
});
