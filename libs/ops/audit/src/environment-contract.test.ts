import { injectFailure, prepareArena, restoreArena } from "@microremed/arena";
import { arenaOn, openLocalWorld } from "@microremed/arena/testing";
import { noFailure } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { catalogue } from "./testing/entries.ts";

test.each(catalogue.environments.names)(
  "%s: gets healthy, has a baseline, and is as it was after a control",
  async (name) => {
    const environment = catalogue.environments.get(name);
    const [target = ""] = environment.targets;
    using world = openLocalWorld(environment);
    const warnings: string[] = [];
    const log = { ...silentLogger, warn: (...parts: unknown[]) => void warnings.push(JSON.stringify(parts)) };
    const arena = { ...arenaOn(world.cluster, environment, environment.namespace, catalogue), log };
    expect(await prepareArena(arena, { redeploy: false, timeoutSeconds: 1800 })).toEqual({ deployed: true });
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
  300_000,
);
