import { kinds } from "@microremed/cluster";
import { builtInCatalogue } from "@microremed/registry";
import { judgedFault, verifyRecovery } from "@microremed/verification";
import { expect, test } from "vitest";
import { injectFailure } from "./inject-failure.ts";
import { prepareArena } from "./prepare-arena.ts";
import { restoreArena } from "./restore-arena.ts";
import { arenaOn, openLocalWorld } from "./testing/world.ts";

const catalogue = await builtInCatalogue();
const environment = catalogue.environments.get("simple-micro");

test("what a fault's setting adds works before the fault, is judged as declared, and goes with the episode", async () => {
  using world = openLocalWorld(environment);
  const { cluster } = world;
  const arena = arenaOn(cluster, environment);
  const { namespace } = environment;
  const [failure, target] = ["cronjob-sidecar-never-completes", "hello-service"];
  const fault = catalogue.faults.get(failure);
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const body = await injectFailure(arena, { failure, target, timeoutSeconds: 60 });
  if (body.status !== "ok") throw new Error(body.reason);
  const { baseline, injection } = body;
  const jobs = () => cluster.list(kinds.cronJob, { namespace });
  const [added] = await jobs();
  expect(added?.["status"], "it had worked").toMatchObject({ lastSuccessfulTime: expect.any(String) });

  await fault.remove({ ...arena, target });
  expect(await jobs(), "what belongs to the system stays without the fault").toHaveLength(1);
  await cluster.delete(kinds.cronJob, namespace, added?.metadata.name ?? "");
  const verdict = await verifyRecovery(
    { ...arena, target },
    judgedFault(catalogue, failure),
    { baseline, injection, remedyAt: null },
    120,
  );
  expect(verdict.recovered, verdict.reason).toBe(false);

  await restoreArena(arena, { failure, target, timeoutSeconds: 600 });
  expect(await jobs()).toEqual([]);
});

test("what its programs write again is no change, and any other ConfigMap is, owned by its Job or not", async () => {
  using world = openLocalWorld(environment);
  const { cluster } = world;
  const arena = arenaOn(cluster, environment);
  const { namespace } = environment;
  const [failure, target] = ["finalizer-deadlock", "hello-service"];
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const body = await injectFailure(arena, { failure, target, timeoutSeconds: 60 });
  if (body.status !== "ok") throw new Error(body.reason);
  const { baseline, injection } = body;
  const verdict = () =>
    verifyRecovery(
      { ...arena, target },
      judgedFault(catalogue, failure),
      { baseline, injection, remedyAt: null },
      300,
    );
  await catalogue.faults.get(failure).remove({ ...arena, target });
  expect(await verdict()).toMatchObject({ recovered: true, clean: true });

  const [job] = await cluster.list(kinds.job, { namespace });
  const { name = "", uid = "" } = job?.metadata ?? {};
  const owner = { apiVersion: "batch/v1", kind: "Job", name, uid, controller: true };
  await cluster.apply({
    ...kinds.configMap,
    metadata: {
      name: "hidden",
      namespace,
      labels: { "batch.kubernetes.io/controller-uid": uid },
      finalizers: ["archive.internal/clean-up"],
      ownerReferences: [owner],
    },
  });
  const changed = await verdict();
  expect(changed).toMatchObject({ clean: false });
  expect(JSON.stringify(changed)).toContain("ConfigMap/hidden");

  await restoreArena(arena, { failure, target, timeoutSeconds: 600 });
  const left = await cluster.list(kinds.configMap, { namespace });
  expect(left.map(({ metadata }) => metadata.name).filter((one) => /hidden|archive/.test(one))).toEqual([]);
});
