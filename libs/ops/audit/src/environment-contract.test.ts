import { injectFailure, prepareArena, restoreArena } from "@microremed/arena";
import { arenaOn, openLocalWorld } from "@microremed/arena/testing";
import type { Environment } from "@microremed/catalogue";
import { shareOf } from "@microremed/catalogue/testing";
import { noFailure } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import { judgedByAll, measureBaseline } from "@microremed/verification";
import { expect, test } from "vitest";
import { catalogue } from "./testing/entries.ts";

const isWhole = process.env["WHOLE_PROOF"] === "true";

/** The targets to measure: all in a whole proof, else the first one and the first whose data is written to. */
function measuredTargets({ targets, dataMounts }: Environment): string[] {
  if (isWhole) return [...targets];
  const written = targets.find((target) => target in dataMounts);
  return [...new Set([...targets.slice(0, 1), ...(written === undefined ? [] : [written])])];
}

/** A whole proof (WHOLE_PROOF=true) takes every environment. */
test.each(shareOf(catalogue.environments.names, 3))(
  "%s: gets healthy, has a baseline of every oracle for the faults of its targets, and is as it was after a control",
  async (name) => {
    const environment = catalogue.environments.get(name);
    const [target = ""] = environment.targets;
    using world = openLocalWorld(environment);
    const warnings: string[] = [];
    const log = { ...silentLogger, warn: (...parts: unknown[]) => void warnings.push(JSON.stringify(parts)) };
    const arena = { ...arenaOn(world.cluster, environment, environment.namespace, catalogue), log };
    expect(await prepareArena(arena, { redeploy: false, timeoutSeconds: 1800 })).toEqual({ deployed: true });

    for (const measured of measuredTargets(environment)) {
      // Throws with the oracle and its reason: a fault on this target would be a harness error in every episode.
      const context = { ...arena, target: measured };
      const baseline = await measureBaseline(context, judgedByAll(catalogue, environment, measured));
      expect(Object.keys(baseline.values), measured).not.toEqual([]);
    }

    const command = { failure: noFailure, target };
    const body = await injectFailure(arena, { ...command, timeoutSeconds: 60 });
    if (body.status !== "ok") throw new Error(body.reason);
    // Without a rate of requests it is not known whether users are served.
    expect(body.baseline.edges?.length, "edges of the call graph with requests").toBeGreaterThan(0);
    const restored = await restoreArena(arena, {
      ...command,
      baseline: body.baseline,
      timeoutSeconds: 1800,
    });
    expect(restored, `restored after a control; warnings: ${warnings.join("; ") || "none"}`).toEqual({
      how: "reset",
      damage: { changes: [] },
    });
  },
);
