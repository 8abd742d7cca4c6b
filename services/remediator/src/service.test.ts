import { createMemoryBroker, createMemoryBus } from "@microremed/bus/memory";
import { createManualTimers } from "@microremed/bus/testing";
import {
  PlaybookAnswerReply,
  ProbeRequest,
  type ResultOf,
  type SolveCommand,
  type StageResult,
  subjects,
} from "@microremed/contracts";
import { silentLogger as log, terminal } from "@microremed/core";
import { type ChatClient, createModels } from "@microremed/llm";
import { createChatClient } from "@microremed/llm/chat-client";
import { anExchange } from "@microremed/llm/testing";
import { referenceFetch } from "@microremed/reference-models";
import { builtInCatalogue } from "@microremed/registry";
import { createMemoryState } from "@microremed/state/memory";
import { expect, test } from "vitest";
import { startRemediator } from "./service.ts";
import { commandFor, leaseArenas, send } from "./testing/a-command-for.ts";
import { solveResults } from "./testing/solve-results.ts";

test("within one process, a command becomes a result without a socket", async () => {
  await using bus = createMemoryBus();
  await using state = createMemoryState();
  await bus.ensureStreams();
  const catalogue = await builtInCatalogue();
  const results: ResultOf<"solve">[] = [];
  await using _scheduler = await bus.consume(solveResults, async (result) => {
    if (result.stage === "solve") results.push(result);
  });
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
  await expect.poll(() => results.length).toBe(1);
  expect(results[0]?.body).toMatchObject({
    status: "act",
    tool: "run_playbook",
    usage: { calls: 2 },
    probes: 1,
  });
});

test("a turn that fails says what its agent had seen and used; one that had not begun says that nothing was given", async () => {
  await using bus = createMemoryBus();
  await using state = createMemoryState();
  await bus.ensureStreams();
  const results: ResultOf<"solve">[] = [];
  await using _scheduler = await bus.consume(solveResults, async (result) => {
    if (result.stage === "solve") results.push(result);
  });
  await using _executor = await bus.serve(subjects.probe("sim-0"), "executor", ProbeRequest, async () => ({
    status: "ok",
    exitCode: 0,
    output: "a pod has restarted",
  }));
  let asked = 0;
  const model: ChatClient = {
    model: "some-model",
    complete: async () => {
      if (++asked > 1) throw terminal("model-refused", "the endpoint answered 401", { status: 401 });
      const toolCalls = [{ id: "c1", name: "probe_system", arguments: '{"command":"kubectl get pods"}' }];
      const usage = { promptTokens: 70, completionTokens: 5, cachedTokens: 0, reasoningTokens: 0, cost: 0.5 };
      return { content: "", toolCalls, usage, exchange: anExchange() };
    },
  };
  await using _remediator = await startRemediator({
    bus,
    state,
    log,
    catalogue: await builtInCatalogue(),
    models: createModels({ env: {}, fallback: { baseUrl: "http://model/v1", apiKey: null } }),
    connectModel: () => model,
    concurrency: 1,
  });
  const [first, second] = await leaseArenas(state, 2);
  await send(bus, commandFor(first, { model: "some-model" }));
  await expect.poll(() => results.length).toBe(1);
  expect(results[0]?.body).toMatchObject({
    ...{ status: "failed", error: { code: "model-refused" }, given: true },
    turn: {
      ...{ usage: { calls: 1, promptTokens: 70, cost: 0.5 }, probes: 1 },
      observations: [{ tool: "probe_system", result: expect.stringContaining("restarted") }],
    },
  });
  await send(bus, commandFor(second, { model: "reference/magic" }));
  await expect.poll(() => results.length).toBe(2);
  expect(results[1]?.body).toMatchObject({
    status: "failed",
    error: { code: "unknown-model" },
    given: false,
  });
});

test("a remediator ends although turns of it wait for a person, and another one takes them", async () => {
  // Time does not advance: whatever waits for the end of the grace period would never end.
  const broker = createMemoryBroker({ timers: createManualTimers() });
  await using bus = createMemoryBus({ broker });
  await using state = createMemoryState();
  const catalogue = await builtInCatalogue();
  const deps = {
    bus,
    state,
    log,
    catalogue,
    models: createModels({ env: {}, referenceUrl: "http://reference/v1" }),
    connectModel: () => {
      throw new Error("no model is asked");
    },
    concurrency: 2,
  };
  const leases = await leaseArenas(state, 2);
  const turns = leases.map((lease, i) => commandFor(lease, { method: "Human", model: `person-${i}` }));
  const isAsked = async ({ episodeId }: Pick<SolveCommand, "episodeId">) =>
    (await state.conversations.read({ episodeId, trial: 1 })).length > 0;
  const first = await startRemediator(deps);
  for (const turn of turns) await send(bus, turn);
  for (const turn of turns) await expect.poll(() => isAsked(turn)).toBe(true);
  await first[Symbol.asyncDispose]();
  for (const { episodeId } of turns)
    expect(await state.claims.isHeld({ episodeId, trial: 1, attempt: 1, stage: "solve" })).toBe(false);

  await using _second = await startRemediator(deps);
  const results: StageResult[] = [];
  await using _scheduler = await bus.consume(solveResults, async (result) => void results.push(result));
  const playbook = "- hosts: all\n  tasks: []\n";
  for (const { episodeId } of turns)
    await expect
      .poll(() =>
        bus
          .request(
            subjects.answer(episodeId),
            { episodeId, playbook },
            { schema: PlaybookAnswerReply, timeoutMs: 2_000 },
          )
          .catch(String),
      )
      .toEqual({ attempt: 1 });
  await expect.poll(() => results.map(({ body }) => body.status)).toEqual(["act", "act"]);
});
