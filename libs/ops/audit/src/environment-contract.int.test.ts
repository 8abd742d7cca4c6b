import { injectFailure, prepareArena, restoreArena } from "@microremed/arena";
import { arenaOn, startWorld } from "@microremed/arena/testing";
import { noFailure } from "@microremed/contracts";
import { expect, test } from "vitest";
import { catalogue } from "./testing/entries.ts";

test.each(catalogue.environments.names)(
  "%s: gets healthy, has a baseline, and is as it was after a control",
  async (name) => {
    const environment = catalogue.environments.get(name);
    const [target = ""] = environment.targets;
    await using world = await startWorld(name, environment, 300);
    const arena = arenaOn(world.cluster, environment, environment.namespace, catalogue);
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
    expect(restored).toEqual({ how: "reset", damage: { changes: [] } });
  },
  300_000,
);
