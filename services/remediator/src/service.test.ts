import { createMemoryBus } from "@microremed/bus/memory";
import { ProbeRequest, type ResultOf, StageResult, subjects } from "@microremed/contracts";
import { silentLogger as log } from "@microremed/core";
import { createChatClient, createModels } from "@microremed/llm";
import { referenceFetch } from "@microremed/reference-models";
import { builtInCatalogue } from "@microremed/registry";
import { createMemoryState } from "@microremed/state/memory";
import { expect, test } from "vitest";
import { startRemediator } from "./service.ts";
import { commandFor, leaseArenas, send } from "./testing/a-command-for.ts";

test("within one process, a command becomes a result without a socket", async () => {
  await using bus = createMemoryBus();
  await using state = createMemoryState();
  await bus.ensureStreams();
  const catalogue = await builtInCatalogue();
  const results: ResultOf<"solve">[] = [];
  await using _scheduler = await bus.consume(
    {
      stream: "RESULTS",
      durable: "test",
      subjects: [subjects.result("solve")],
      schema: StageResult,
      concurrency: 1,
    },
    async (result) => {
      if (result.stage === "solve") results.push(result);
    },
  );
  await using _executor = await bus.serve(subjects.probe("sim-0"), "executor", ProbeRequest, async () => ({
    status: "ok",
    exitCode: 0,
    output: "stresschaos.chaos-mesh.org/burn\n",
  }));
  await using _remediator = await startRemediator({
    bus,
    state,
    log,
    catalogue,
    models: createModels({ env: {}, referenceUrl: "http://reference/v1" }),
    connectModel: (endpoint, { timeoutMs }) =>
      createChatClient({ ...endpoint, timeoutMs, log, fetch: referenceFetch(catalogue.faults.all()) }),
    concurrency: 1,
  });
  const [lease] = await leaseArenas(state, 1);
  await send(bus, commandFor(lease, { modelSeconds: 30 }));
  await expect.poll(() => results.length, { timeout: 20_000 }).toBe(1);
  expect(results[0]?.body).toMatchObject({
    status: "act",
    tool: "run_playbook",
    usage: { calls: 2 },
    probes: 1,
  });
});
