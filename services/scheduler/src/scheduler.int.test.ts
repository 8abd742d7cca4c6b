import {
  attemptsOf,
  ConversationReply,
  ExperimentList,
  ExperimentPage,
  type RangeEvent,
  streams,
  subjects,
} from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { bodies } from "@microremed/episode/testing";
import { expect, test } from "vitest";
import { allGoesWell, startRange } from "./testing/range.ts";

const request = { environment: "shop", model: "reference/noop" };

function finishedEpisodes(events: readonly RangeEvent[]): Record<string, string> {
  const ends = events.filter((event) => event.type === "episode-finished");
  expect(new Set(ends.map(({ episodeId }) => episodeId)).size).toBe(ends.length);
  return Object.fromEntries(ends.map(({ episodeId, outcome }) => [episodeId, outcome]));
}

test("two schedulers bring twenty episodes through all stages, each exactly once", async () => {
  await using range = await startRange((stage, command) => {
    // The second playbook helps those with an odd index, and one arena could not be cleaned.
    const odd = Number(command.episodeId.at(-1)) % 2 === 1;
    if (stage === "grade" && odd && command.attempt === 1) return bodies.grade.not;
    if (stage === "restore" && command.episodeId === "exp.0003") throw terminal("restore-failed", "stuck");
    return allGoesWell(stage, command);
  });
  await Promise.all([range.addScheduler(), range.addScheduler()]);
  const reply = await range.bus.submit({ ...request, id: "exp", maxParallel: 6 });
  expect(reply).toEqual({ status: "accepted", experimentId: "exp", episodes: 20, created: true });

  const events = await range.untilFinished("exp");
  const outcomes = finishedEpisodes(events);
  expect(Object.keys(outcomes)).toHaveLength(20);
  expect(new Set(Object.values(outcomes))).toEqual(new Set(["remediated"]));
  expect(range.commands).toHaveLength(10 * 6 + 10 * 9);
  expect(new Set(range.commands).size).toBe(range.commands.length);
  expect(events.at(0)?.type).toBe("experiment-started");

  const episodes = await range.episodes("exp");
  expect(episodes.map((episode) => attemptsOf(episode).length)).toEqual(
    Array.from({ length: 20 }, (_, i) => 1 + (i % 2)),
  );
  expect(episodes[3]).toMatchObject({ restored: "quarantined", outcome: "remediated" });
  const arenas = await range.state.arenas.list();
  expect(arenas.filter(({ quarantined }) => quarantined !== null)).toHaveLength(1);
  expect(arenas.filter(({ episode }) => episode !== null)).toEqual([]);
  expect(await range.state.experiments.running()).toEqual([]);
  await expect.poll(() => range.state.outbox.size()).toBe(0);

  const options = { schema: ExperimentList, timeoutMs: 5_000 };
  const { experiments } = await range.bus.request(subjects.experimentList, { limit: 5 }, options);
  expect(experiments).toMatchObject([
    { id: "exp", status: "completed", episodes: 20, about: "shop", models: ["reference/noop"] },
  ]);
});

test("every model of a matrix is tried on the same cases, and a failure that does not show is drawn again", async () => {
  const asked = new Map<string, number>();
  await using range = await startRange((stage, command) => {
    if (stage === "inject" && command.episodeId === "matrix.0002" && command.trial === 1) {
      return bodies.inject["no-effect"];
    }
    const { model } = command as unknown as { model?: string };
    if (stage === "solve" && model !== undefined) asked.set(model, (asked.get(model) ?? 0) + 1);
    return allGoesWell(stage, command);
  });
  await range.addScheduler();
  const failures = ["cpu-stress", "cpu-stress", "cpu-stress"];
  await range.bus.submit({ environment: "shop", id: "matrix", model: ["slow", "fast"], failures });
  expect(Object.keys(finishedEpisodes(await range.untilFinished("matrix")))).toHaveLength(6);
  expect(Object.fromEntries(asked)).toEqual({ slow: 3, fast: 3 });
  const episodes = await range.episodes("matrix");
  const cases = Map.groupBy(episodes, ({ caseId }) => caseId);
  expect([...cases.values()].map((runs) => runs.map(({ model }) => model))).toEqual(
    failures.map(() => ["slow", "fast"]),
  );
  expect(episodes[2]).toMatchObject({
    outcome: "remediated",
    trial: 2,
    redraws: [{ trial: 1, target: "cart" }],
  });
});

test("a malformed request is answered with every wrong field, and nothing else happens", async () => {
  await using range = await startRange();
  await range.addScheduler();
  const wrong = { model: "", failures: ["gremlins"], seed: -1, colour: "red", environment: "shop" };
  const reply = await range.bus.submit({ ...wrong, id: "wrong-one" } as never);
  if (reply.status !== "rejected") throw new Error("it was accepted");
  const paths = reply.issues.map(({ path }) => path);
  expect(paths.toSorted()).toEqual(["colour", "failures.0", "model", "seed"]);
  const stop = new AbortController();
  for await (const event of range.bus.readEvents("wrong-one", { signal: stop.signal })) {
    expect(event).toMatchObject({ type: "experiment-rejected", issues: reply.issues });
    stop.abort();
  }
  // A request without a usable id: its event goes to a stream of its own.
  await range.bus.publish(subjects.submit, "rubbish");
  const stopToo = new AbortController();
  for await (const event of range.bus.readEvents("rejected", { signal: stopToo.signal })) {
    expect(event.type).toBe("experiment-rejected");
    stopToo.abort();
  }
  expect(await range.state.experiments.list(10)).toEqual([]);
  expect(range.commands).toEqual([]);
});

test("an episode whose command went to the dead letters is tried again at once, unless another user sent the letter", async () => {
  const held = Promise.withResolvers<void>();
  await using range = await startRange(async (stage, command) => {
    if (stage === "act" && command.trial === 1) await held.promise;
    return allGoesWell(stage, command);
  });
  await range.addScheduler();
  await range.bus.submit({ ...request, id: "dead-lettered", failures: ["cpu-stress"] });
  await expect.poll(() => range.commands.some((name) => name.endsWith("/act"))).toBe(true);
  const letter = {
    subject: subjects.command("act", "c1"),
    service: "executor",
    messageId: "1",
    deliveries: 9,
    code: "invalid-message",
    reason: "every worker on it died",
    headers: {},
    body: JSON.stringify({ episodeId: "dead-lettered.0000", trial: 1, attempt: 1 }),
    at: 1,
  };
  await range.bus.publish(subjects.deadLetter("verifier"), letter);
  await range.bus.publish(subjects.deadLetter("executor"), { ...letter, body: "{" });
  await expect(range.bus.deadLetters.get(2)).resolves.toMatchObject({ body: "{" });
  expect((await range.episodes("dead-lettered"))[0]).toMatchObject({ state: "acting", trial: 1 });
  await range.bus.publish(subjects.deadLetter("executor"), letter);
  await range.untilFinished("dead-lettered");
  held.resolve();
  expect((await range.episodes("dead-lettered"))[0]).toMatchObject({ trial: 2, outcome: "remediated" });
});

test("commands and results that were confirmed and never delivered are found out, and every stage is done once", async () => {
  const first = new Set<string>();
  await using range = await startRange(allGoesWell, {
    loses: (subject, msgId) => {
      const isCommand = subject.startsWith("microremed.commands.act");
      if (!isCommand && !subject.startsWith("microremed.results.grade")) return false;
      const isLost = isCommand ? msgId.endsWith("/command") : !first.has(msgId);
      if (isLost) first.add(msgId);
      return isLost;
    },
  });
  await Promise.all([range.addScheduler(), range.addScheduler()]);
  await range.bus.submit({ ...request, id: "lost", failures: ["cpu-stress", "cpu-stress"] });
  for (const lost of [2, 4]) {
    await expect.poll(() => first.size).toBe(lost);
    range.skip(61_000);
  }
  const outcomes = finishedEpisodes(await range.untilFinished("lost"));
  expect(Object.values(outcomes)).toEqual(["remediated", "remediated"]);
  expect(new Set(range.commands).size).toBe(range.commands.length);
  expect((await range.episodes("lost")).map(({ trial }) => trial)).toEqual([1, 1]);
});

test("a stage with a worker is left to it, however long it takes", async () => {
  const held = Promise.withResolvers<void>();
  await using range = await startRange(async (stage, command) => {
    if (stage === "act") await held.promise;
    return allGoesWell(stage, command);
  });
  await range.addScheduler();
  await range.bus.submit({ ...request, id: "long", failures: ["cpu-stress"] });
  const begun = () => range.commands.filter((name) => name.endsWith("/act")).length;
  await expect.poll(begun).toBe(1);
  range.skip(130_000);
  // Two ticks.
  await new Promise((resolve) => setTimeout(resolve, 5_500));
  expect(await range.bus.waitingSubjects(streams.executor.name, ">")).toHaveLength(1);
  expect((await range.bus.queues()).find(({ stream }) => stream === streams.executor.name)?.messages).toBe(1);
  held.resolve();
  await range.untilFinished("long");
  expect(begun()).toBe(1);
});

test("the same id twice is one experiment; with another request it is refused and the first goes on", async () => {
  await using range = await startRange();
  await Promise.all([range.addScheduler(), range.addScheduler()]);
  const same = { ...request, id: "once", failures: ["cpu-stress", "cpu-stress"] };
  const replies = await Promise.all([1, 2, 3].map(() => range.bus.submit(same)));
  expect(replies.map(({ status }) => status)).toEqual(["accepted", "accepted", "accepted"]);
  const other = await range.bus.submit({ ...same, seed: 9 });
  expect(other).toMatchObject({ status: "rejected", issues: [{ path: "id" }] });
  expect(Object.keys(finishedEpisodes(await range.untilFinished("once")))).toHaveLength(2);
  expect(range.commands).toHaveLength(12);
});

test("an experiment is cancelled with every arena restored, wherever its episodes are", async () => {
  const held = Promise.withResolvers<void>();
  await using range = await startRange(async (stage, command) => {
    if (stage === "act") await held.promise;
    return allGoesWell(stage, command);
  });
  await Promise.all([range.addScheduler(), range.addScheduler()]);
  await range.bus.submit({ ...request, id: "cut" });
  const executing = () => range.commands.filter((name) => name.endsWith("/act")).length;
  await expect.poll(executing).toBe(6);
  await range.bus.publish(subjects.cancel, { experimentId: "cut" });
  await expect
    .poll(async () => (await range.episodes("cut")).filter(({ state }) => state === "done").length)
    .toBe(14);
  held.resolve();
  const events = await range.untilFinished("cut");
  expect(events.at(-1)).toMatchObject({ type: "experiment-finished", status: "cancelled" });
  expect(new Set(Object.values(finishedEpisodes(events)))).toEqual(new Set(["cancelled"]));
  expect(range.commands.filter((name) => name.endsWith("/restore"))).toHaveLength(6);
  expect(range.commands.filter((name) => name.endsWith("/grade"))).toEqual([]);
});

test("an agent that leaves is judged on its moves; the rest of its experiment is cancelled by it", async () => {
  const held = Promise.withResolvers<void>();
  await using range = await startRange(async (stage, command) => {
    if (stage === "act") await held.promise;
    return allGoesWell(stage, command);
  });
  await range.addScheduler();
  await range.bus.submit({ ...request, id: "left" });
  await expect.poll(() => range.commands.filter((name) => name.endsWith("/act")).length).toBe(6);
  await range.bus.publish(subjects.cancel, { experimentId: "left", by: "agent" });
  const cancelled = async () => (await range.episodes("left")).filter((one) => one.cancelledBy === "agent");
  await expect.poll(async () => (await cancelled()).length).toBe(14);
  held.resolve();
  const events = await range.untilFinished("left");
  const outcomes = Object.values(finishedEpisodes(events)).toSorted();
  expect(outcomes).toEqual([...Array(14).fill("cancelled"), ...Array(6).fill("remediated")]);
});

test("an experiment whose arenas are all quarantined ends, saying why", async () => {
  await using range = await startRange((stage, command) => {
    if (stage === "restore") throw terminal("restore-failed", "the namespace hangs");
    return allGoesWell(stage, command);
  });
  await range.addScheduler();
  await range.bus.submit({ ...request, id: "stuck", clusters: ["c1"] });
  const outcomes = Object.values(finishedEpisodes(await range.untilFinished("stuck")));
  expect(outcomes.filter((outcome) => outcome === "remediated")).toHaveLength(3);
  expect(outcomes.filter((outcome) => outcome === "harness-error")).toHaveLength(17);
  const [, , , last] = await range.episodes("stuck");
  expect(last?.reason).toContain("the namespace hangs");
});

test("NATS and Redis crash in the middle, more than once, and every episode still ends once", async () => {
  await using range = await startRange(async (stage, command) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return allGoesWell(stage, command);
  });
  await Promise.all([range.addScheduler(), range.addScheduler()]);
  await range.bus.submit({ ...request, id: "rough" });
  for (const [server, commands] of [
    ["nats", 10],
    ["redis", 40],
    ["nats", 70],
    ["redis", 90],
  ] as const) {
    await expect.poll(() => range.commands.length).toBeGreaterThan(commands);
    await range.crash(server);
  }
  const outcomes = finishedEpisodes(await range.untilFinished("rough"));
  expect(Object.keys(outcomes)).toHaveLength(20);
  expect(new Set(Object.values(outcomes))).toEqual(new Set(["remediated"]));
});

test("answers questions about experiments and conversations, and says when there are none", async () => {
  await using range = await startRange();
  await range.addScheduler();
  await range.bus.submit({ ...request, id: "asked", failures: ["cpu-stress"] });
  await range.untilFinished("asked");
  const messages = [{ role: "user" as const, content: "x".repeat(900_000) }];
  await range.state.conversations.append({ episodeId: "asked.0000", trial: 1 }, 0, messages);
  const ask = (episodeId: string) =>
    range.bus.request(
      subjects.conversationQuery,
      { episodeId },
      { schema: ConversationReply, timeoutMs: 5000 },
    );
  const { conversation } = await ask("asked.0000");
  expect(conversation[0]?.content).toContain("characters left out");
  await expect(ask("asked.0099")).rejects.toMatchObject({ code: "unknown-experiment" });
  const none = await range.bus.request(
    subjects.experimentQuery,
    { experimentId: "nobody" },
    { schema: ExperimentPage, timeoutMs: 5000 },
  );
  expect(none).toMatchObject({ status: "error", error: { code: "unknown-experiment" } });
});
