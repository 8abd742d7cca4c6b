import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { connectNatsBus } from "@microremed/bus/nats";
import { ProbeRequest, type ResultOf, subjects } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import { startScriptedServer } from "@microremed/llm/testing";
import { startReferenceModels } from "@microremed/reference-models";
import { builtInCatalogue } from "@microremed/registry";
import { startNatsServer, startRedisServer } from "@microremed/servers";
import type { Lease } from "@microremed/state";
import { connectRedisState } from "@microremed/state/redis";
import { expect, test } from "vitest";
import { commandFor, leaseArenas, send } from "./testing/a-command-for.ts";
import { solveResults } from "./testing/solve-results.ts";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));

function startRemediator(env: Record<string, string>): AsyncDisposable {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return {
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      const [code] = await once(child, "exit");
      expect(code).toBe(0);
    },
  };
}

test("a remediator process turns commands into results, whatever the other models do", async () => {
  await using nats = await startNatsServer({ user: "u", password: "p-secret" });
  await using redis = await startRedisServer({ password: "r-secret" });
  await using reference = await startReferenceModels({ faults: (await builtInCatalogue()).faults.all() });
  await using silent = await startScriptedServer([{ kind: "silence" }]);
  await using state = await connectRedisState({ url: redis.url, log: silentLogger });
  await using bus = await connectNatsBus({
    servers: nats.url,
    name: "test",
    user: "u",
    password: "p-secret",
    log: silentLogger,
  });
  await bus.ensureStreams();

  const [first, second, third] = await leaseArenas(state, 3);
  const probed: string[] = [];
  await using _executor = await bus.serve(
    subjects.probe("sim-0"),
    "executor",
    ProbeRequest,
    async (request) => {
      if (request.probe.kind === "command") probed.push(request.probe.command);
      return { status: "ok", exitCode: 0, output: "stresschaos.chaos-mesh.org/burn\n" };
    },
  );
  const results: ResultOf<"solve">[] = [];
  await using _scheduler = await bus.consume({ ...solveResults, concurrency: 4 }, async (result) => {
    if (result.stage === "solve") results.push(result);
  });
  await using _remediator = startRemediator({
    NATS_URL: nats.url,
    NATS_USER: "u",
    NATS_PASSWORD: "p-secret",
    REDIS_URL: redis.url,
    REFERENCE_MODELS_URL: reference.url,
    OPENAI_BASE_URL: silent.url,
    OPENAI_API_KEY: "sk-secret",
  });

  const order = commandFor(second, { modelSeconds: 30 });
  await send(bus, commandFor(first, { model: "slow-model" }));
  await send(bus, order);
  await send(bus, commandFor(third, { model: "reference/magic" }));
  await expect.poll(() => results.length).toBe(3);

  const bodyOf = (lease: Lease | undefined) =>
    results.find((result) => result.episodeId === lease?.episodeId)?.body;
  expect(bodyOf(first)).toMatchObject({
    status: "failed",
    error: { code: "model-unreachable", message: expect.stringContaining("within 1 s") },
  });
  expect(bodyOf(third)).toMatchObject({ status: "failed", error: { code: "unknown-model" } });
  expect(bodyOf(second)).toMatchObject({
    status: "act",
    tool: "run_playbook",
    arguments: { playbook: expect.stringContaining("stresschaos.chaos-mesh.org/burn") },
    usage: { calls: 2 },
    probes: 1,
  });
  expect(probed).toEqual(["kubectl -n shop get stresschaos -o name"]);
  expect(results.at(-1)?.episodeId).toBe(first?.episodeId);

  // The same command once more is answered from what is stored, and the next attempt goes on in the conversation.
  await send(bus, order);
  await send(bus, { ...order, attempt: 2, feedback: { execution: "ok=1", recovered: false } });
  await expect.poll(() => results.length).toBeGreaterThan(3);
  expect(results.at(-1)).toMatchObject({
    attempt: 2,
    body: { arguments: { playbook: expect.stringContaining("rollout restart") } },
  });
  const conversation = await state.conversations.read({ episodeId: order.episodeId, trial: 1 });
  expect(conversation.map((message) => message.role).join(" ")).toBe(
    "system user assistant tool assistant tool user assistant tool assistant tool",
  );
});
