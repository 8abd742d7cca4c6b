import { loadCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { startInProcessRange } from "./start-in-process-range.ts";
import { letIdle } from "./testing/idle-sessions.ts";
import { anOutsideAgent } from "./testing/outside-agent.ts";

test("an agent that opens sessions and does nothing takes no arenas from another one", async () => {
  await using range = await startInProcessRange({
    catalogue: await loadCatalogue(),
    environments: ["simple-micro"],
    clusters: 2,
    gatewayPort: 0,
    env: { SESSION_IDLE_SECONDS: "1" },
  });
  const urls = [range.gateway?.url ?? ""];
  const agents = await Promise.all([1, 2].map(() => anOutsideAgent(range.state.tokens, urls)));
  const [idle, honest] = agents as [(typeof agents)[0], (typeof agents)[0]];
  const tried = { client: range.client, arenas: range.state.arenas, arenaCount: 2 };
  await letIdle(tried, { idle, honest, beat: true });
  expect(range.gateway?.url).toBeDefined();
});
