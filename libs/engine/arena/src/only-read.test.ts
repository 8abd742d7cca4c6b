import { targetText } from "@microremed/catalogue";
import { readRecord } from "@microremed/inventory";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { injectFailure } from "./inject-failure.ts";
import { measureDamage } from "./measure-damage.ts";
import { prepareArena } from "./prepare-arena.ts";
import { arenaOn, openLocalWorld } from "./testing/world.ts";

const catalogue = await builtInCatalogue();
/** What a fault itself has made, and what is there all the time. */
const notTheAgents = ["unrepaired", "spent", "allowed", "outside"];

/** Faults of Services, one of each other kind, and of what stores and flags have; a proof tries its fault everywhere. */
const some: Readonly<Record<string, readonly string[]>> = {
  "online-boutique": [
    ...[
      "service-selects-foreign-pods",
      "service-selector-mismatch",
      "service-target-port",
      "service-deleted",
    ],
    ...["cpu-stress", "pod-config-error", "network-policy-deny", "cache-password-set"],
  ],
  "hotel-reservation": ["mongo-user-dropped"],
  "astronomy-shop": ["flag-cart-failure"],
  "train-ticket": ["database-privileges-revoked"],
};
const isWhole = process.env["WHOLE_PROOF"] === "true";

const cases = catalogue.environments.names.flatMap((environment) =>
  catalogue.faults.all().flatMap((fault) => {
    const isTried = isWhole || some[environment]?.includes(fault.name);
    const [target] = isTried && !fault.control ? fault.targets(catalogue.environments.get(environment)) : [];
    return target === undefined ? [] : [{ failure: fault.name, environment, target: targetText(target) }];
  }),
);

test.each(cases)(
  "$failure: nothing is charged to an agent of $environment that has only read",
  async (one) => {
    const { failure, target } = one;
    const environment = catalogue.environments.get(one.environment);
    using world = openLocalWorld(environment, { ownPods: true });
    const { cluster } = world;
    const arena = arenaOn(cluster, environment);
    await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
    const command = { failure, target, timeoutSeconds: 180 };
    const body = await injectFailure(arena, command);
    if (body.status !== "ok") throw new Error(body.reason);
    const damage = await measureDamage(arena, await readRecord(cluster, environment.namespace), command);
    expect(damage?.changes.filter(({ class: is }) => !notTheAgents.includes(is ?? ""))).toEqual([]);
  },
);
