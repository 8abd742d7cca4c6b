import { targetText } from "@microremed/catalogue";
import { readRecord } from "@microremed/inventory";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { injectFailure } from "./inject-failure.ts";
import { measureDamage } from "./measure-damage.ts";
import { prepareArena } from "./prepare-arena.ts";
import { arenaOn, openLocalWorld } from "./testing/world.ts";

const catalogue = await builtInCatalogue();
const boutique = catalogue.environments.get("online-boutique");
const { namespace } = boutique;
/** What a fault itself has made, and what is there all the time. */
const notTheAgents = ["unrepaired", "spent", "allowed", "outside"];

/** Faults of Services, and one of each other kind. */
const some = [
  ...["service-selects-foreign-pods", "service-selector-mismatch", "service-target-port", "service-deleted"],
  ...["cpu-stress", "pod-config-error", "network-policy-deny", "configmap-deleted"],
];

test.each(some)("of %s nothing is charged to an agent that has only read", async (failure) => {
  const fault = catalogue.faults.get(failure);
  const [target] = fault.targets(boutique);
  if (target === undefined) return;
  using world = openLocalWorld(boutique);
  const { cluster } = world;
  const arena = arenaOn(cluster, boutique);
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const command = { failure, target: targetText(target), timeoutSeconds: 120 };
  const body = await injectFailure(arena, command);
  if (body.status !== "ok") throw new Error(body.reason);
  const damage = await measureDamage(arena, await readRecord(cluster, namespace), command);
  expect(damage?.changes.filter(({ class: is }) => !notTheAgents.includes(is ?? ""))).toEqual([]);
});
