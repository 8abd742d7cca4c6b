import { attemptsOf, type EpisodeRecord, endSteps } from "@microremed/contracts";
import { loadCatalogue } from "@microremed/registry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type InProcessRange, startInProcessRange } from "./start-in-process-range.ts";
import { anOutsideAgent, type Given, type OutsideAgent } from "./testing/outside-agent.ts";

// A whole range with a gateway; the agents are programs that know its address and a token.

let range: InProcessRange;
let agent: OutsideAgent;
let researcher: OutsideAgent;
beforeAll(async () => {
  const catalogue = await loadCatalogue();
  range = await startInProcessRange({
    catalogue,
    environments: ["simple-micro"],
    clusters: 3,
    gatewayPort: 0,
  });
  const urls = [range.gateway?.url ?? ""];
  agent = await anOutsideAgent(range.state.tokens, urls);
  researcher = await anOutsideAgent(range.state.tokens, urls, { scope: "researcher" });
});
afterAll(() => range[Symbol.asyncDispose]());

const mitigation = { problem: "microremed@1/simple-micro-easy-01" };
const detection = { problem: "range@1/simple-micro-pod-config-error-hello-service-detection" };
const deleteChaos = { command: "kubectl delete stresschaos,networkchaos,podchaos,iochaos --all" };

/** The record of the only episode of a session's experiment, when it is over. */
async function recordOf(session: string): Promise<EpisodeRecord> {
  const { body } = await agent.ask(`/sessions/${session}`);
  await expect.poll(async () => (await agent.ask(`/sessions/${session}`)).body.status).not.toBe("running");
  const [episode] = (await range.client.experiment(String(body["experiment"]))).episodes;
  if (!episode) throw new Error("it has no episode");
  return episode;
}

test("an outside agent repairs a system: its calls are tools, steps and budgets like a model's", async () => {
  const session = await agent.open({ ...mitigation, reveal: "outcome" });
  const given = await agent.next(session);
  expect(given).toMatchObject({ status: "problem", task: "mitigation", attempt: 1, mayAct: true, calls: 0 });
  expect(given.words).toContain("# Failure report");
  expect(given.tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["exec_shell", "submit", "get_logs"]),
  );
  expect(
    await agent.call(session, given, "exec_shell", { command: "kubectl get pods -o name" }),
  ).toMatchObject({
    status: "answered",
    ran: true,
    text: expect.stringContaining("pod/hello-service"),
  });
  expect(await agent.call(session, given, "get_nothing")).toMatchObject({ status: "answered", ran: false });
  expect(await agent.next(session)).toMatchObject({ problem: given.problem, calls: 2, words: given.words });
  expect(await agent.call(session, given, "exec_shell", deleteChaos)).toMatchObject({ ran: true });
  expect(await agent.call(session, given, "submit")).toMatchObject({ status: "ended", how: "submitted" });
  expect(await agent.next(session)).toEqual({
    ...{ status: "done", episodes: 1, done: 1 },
    previous: { problem: given.problem, outcome: "remediated", reason: expect.stringContaining("submitted") },
  });
  const record = await recordOf(session);
  expect(record).toMatchObject({ outcome: "remediated", method: "Session", model: "session/tester@1" });
  expect(record.steps.map(({ kind, tool }) => [kind, tool])).toEqual([
    ["observe", "exec_shell"],
    ["observe", "get_nothing"],
    ["act", "exec_shell"],
    ["submit", "nothing"],
  ]);
  expect(attemptsOf(record)[0]?.usage).toMatchObject({ calls: 4, cost: null });
});

test("an answer is graded; what may not be changed is not changed; words of an agent's cost are its own", async () => {
  const session = await agent.open({ ...detection, reveal: "outcome" });
  const given = await agent.next(session);
  expect(given).toMatchObject({ task: "detection", mayAct: false });
  const write = await agent.call(session, given, "exec_shell", { command: "kubectl delete pod --all" });
  expect(write).toMatchObject({ ran: false, text: expect.stringMatching(/refused|Not run/) });
  const wrong = await agent.call(session, given, "submit", { anomaly: "perhaps" });
  expect(wrong).toMatchObject({ status: "answered", ran: false, text: expect.stringContaining("anomaly") });
  const spent = { promptTokens: 1000, completionTokens: 50, cost: 0.25, seconds: 2 };
  const path = `/sessions/${session}/problems/${given.problem}/calls`;
  const submitted = await agent.ask(path, {
    id: "last",
    tool: "submit",
    arguments: { anomaly: true },
    spent,
  });
  expect(submitted.body).toMatchObject({ status: "ended", how: "submitted" });
  // The same again is the same, also from another replica: what has ended stays so.
  expect(
    (await agent.ask(path, { id: "last", tool: "submit", arguments: { anomaly: true } })).body.status,
  ).not.toBe("answered");
  expect(await agent.next(session)).toMatchObject({ status: "done", previous: { outcome: "solved" } });
  const record = await recordOf(session);
  expect(endSteps(record.steps)[0]?.turn.usage).toMatchObject({ promptTokens: 1000, completionTokens: 50 });
  const said = await range.client.conversation(record.id);
  const last = said.findLast(({ role }) => role === "assistant");
  expect(last).toMatchObject({
    usage: { cost: 0.25 },
    exchange: { endpoint: "session", said: { seconds: 2 } },
  });
});

test("tools that are not in its task reach nothing, whatever they are called", async () => {
  const session = await agent.open(detection);
  const given = await agent.next(session);
  const offered = given.tools.map(({ name }) => name);
  const writes = { command: "kubectl delete pod --all", playbook: "- hosts: all\n  tasks: []\n", seconds: 1 };
  const names = [
    ...["run_playbook", "print_playbook", "probe_system", "undo_last_action", "next_problem", "solve"],
    ...["__proto__", "constructor", "toString", "../submit", "SUBMIT", "exec_shell "],
  ].filter((name) => !offered.includes(name));
  expect(names.length).toBeGreaterThan(8);
  for (const name of names) {
    const reply = await agent.call(session, given, name, writes);
    expect([name, reply]).toMatchObject([name, { status: "answered", ran: false }]);
  }
  const before = await agent.call(session, given, "exec_shell", { command: "kubectl get pods -o name" });
  for (const command of [
    "kubectl delete pod --all",
    "sh -c 'kubectl delete pod --all'",
    "kubectl get pods; kubectl delete pods --all",
    "kubectl get --raw /api/v1/namespaces/default/secrets",
    "kubectl get pods -A",
    "cat /etc/passwd; kubectl --kubeconfig /root/.kube/config get pods",
  ]) {
    const reply = await agent.call(session, given, "exec_shell", { command });
    expect([command, reply.text]).not.toEqual([
      command,
      expect.stringMatching(/deleted|root:x:0|chaos-mesh/),
    ]);
  }
  const after = await agent.call(session, given, "exec_shell", { command: "kubectl get pods -o name" });
  expect(after.text).toBe(before.text);
  expect(await agent.call(session, given, "submit", { anomaly: true })).toMatchObject({ status: "ended" });
  const record = await recordOf(session);
  expect(record.steps.filter(({ kind }) => kind === "act")).toEqual([]);
});

test("after a failed attempt the next one says what came of it; a problem that is given up is over", async () => {
  const session = await agent.open({ ...mitigation, maxAttempts: 3 });
  const first = await agent.next(session);
  await agent.call(session, first, "exec_shell", {
    command: "kubectl rollout restart deployment/hello-service",
  });
  await agent.call(session, first, "submit");
  const second = await agent.next(session);
  expect(second).toMatchObject({ problem: first.problem, attempt: 2, calls: 0 });
  expect(second.words).not.toBe(first.words);
  const spent = { promptTokens: 30, completionTokens: 4, cost: 0.25 };
  const left = await agent.ask(`/sessions/${session}/problems/${second.problem}/leave`, {
    ...{ reason: "no idea", spent },
  });
  expect(left).toMatchObject({ status: 200, body: { status: "ended", reason: "the agent left: no idea" } });
  expect(await agent.next(session)).toMatchObject({ status: "done", previous: { outcome: null } });
  const record = await recordOf(session);
  expect(record).toMatchObject({ outcome: "not-remediated", reason: expect.stringContaining("no idea") });
  expect(record.steps.at(-1)).toMatchObject({ tool: "nothing", turn: { usage: spent } });
});

test("a submit without a change ends the problem, whatever attempts are left, and the problem's words say so", async () => {
  const session = await agent.open({ ...mitigation, maxAttempts: 3 });
  const given = await agent.next(session);
  expect(given.words).toContain("A `submit` without any change in the attempt ends the problem");
  await agent.call(session, given, "exec_shell", { command: "kubectl get pods" });
  await agent.call(session, given, "submit");
  expect(await agent.next(session)).toMatchObject({ status: "done" });
  const record = await recordOf(session);
  expect(record).toMatchObject({ outcome: "not-remediated", attempt: 1 });
});

test("several workers have a problem each, at the same time", async () => {
  const session = await agent.open({
    suite: "easy@1",
    environment: "simple-micro",
    parallel: 3,
    task: "mitigation",
  });
  const workers = ["one", "two", "three"];
  const given = await Promise.all(workers.map((worker) => agent.next(session, worker)));
  expect(new Set(given.map(({ problem }) => problem)).size).toBe(3);
  expect(await agent.next(session, "two")).toMatchObject({ problem: given[1]?.problem });
  const repair = async (one: Given): Promise<void> => {
    await agent.call(session, one, "exec_shell", deleteChaos);
    await agent.call(session, one, "submit");
  };
  await Promise.all(given.map(repair));
  const more = await Promise.all(workers.map((worker) => agent.next(session, worker)));
  expect(new Set([...given, ...more].map(({ problem }) => problem)).size).toBe(6);
  const experiment = String((await agent.ask(`/sessions/${session}`)).body["experiment"]);
  await agent.ask(`/sessions/${session}`, undefined, "DELETE");
  expect((await agent.ask(`/sessions/${session}`)).status).toBe(404);
  await expect.poll(async () => (await range.client.experimentRecord(experiment)).status).toBe("cancelled");
  const { episodes } = await range.client.experiment(experiment);
  expect(episodes.filter(({ outcome }) => outcome === "remediated")).toHaveLength(3);
});

test("an agent that is silent for too long is lost: its problem ends, the arena is restored, and nothing else happens", async () => {
  const session = await agent.open({ ...detection, silenceSeconds: 10 });
  const given = await agent.next(session);
  expect((await agent.ask(`/sessions/${session}/heartbeat`, {})).body).toEqual({ turns: 1, unreached: 0 });
  const { body } = await agent.ask(`/sessions/${session}`);
  const experiment = String(body["experiment"]);
  await expect.poll(async () => (await range.client.experimentRecord(experiment)).status).not.toBe("running");
  const [episode] = (await range.client.experiment(experiment)).episodes;
  expect(episode).toMatchObject({
    outcome: "not-solved",
    restored: "reset",
    reason: expect.stringContaining("no call for 10 s"),
  });
  const late = await agent.ask(`/sessions/${session}/problems/${given.problem}/calls`, {
    tool: "submit",
    arguments: { anomaly: true },
  });
  expect([404, 409, 200]).toContain(late.status);
  expect(late.body.status).not.toBe("answered");
});

test("an agent joins an experiment that names it, and gets to know no more than that lets it", async () => {
  const request = {
    ...{ id: "joined", problems: [detection.problem], method: "Session", model: "session/joiner@2" },
    timeouts: { modelSeconds: 60 },
  };
  expect((await researcher.ask("/experiments", request)).status).toBe(202);
  const joiner = await anOutsideAgent(range.state.tokens, [range.gateway?.url ?? ""], { name: "joiner" });
  expect((await joiner.ask("/sessions", { agent: "other@1", experiment: "joined" })).status).toBe(403);
  expect((await joiner.ask("/sessions", { agent: "joiner@3", experiment: "joined" })).status).toBe(404);
  const session = await joiner.open({ agent: "joiner@2", experiment: "joined" });
  const given = await joiner.next(session);
  await joiner.call(session, given, "submit", { anomaly: true });
  expect(await joiner.next(session)).toMatchObject({ status: "done", previous: { outcome: null } });
  for (const path of [
    "/experiments/joined",
    "/episodes/joined.0000",
    "/experiments/joined/report",
    "/suites",
  ])
    expect((await joiner.ask(path)).status).toBe(403);
  const report = (await researcher.ask("/experiments/joined/report")).body as {
    episodes?: { outcome: string }[];
  };
  expect(report.episodes?.map(({ outcome }) => outcome)).toEqual(["solved"]);
});

test("the tasks of a cycle are turns of one problem, one after the other", async () => {
  const request = {
    ...{
      id: "in-turn",
      environment: "simple-micro",
      failures: ["pod-config-error"],
      target: "hello-service",
    },
    ...{ task: "cycle", method: "Session", model: "session/tester@1" },
  };
  expect((await researcher.ask("/experiments", request)).status).toBe(202);
  const session = await agent.open({ experiment: "in-turn" });
  const answers: Readonly<Record<string, object>> = {
    detection: { anomaly: true },
    localization: { objects: [{ kind: "Deployment", name: "hello-service" }] },
  };
  const seen: Given[] = [];
  for (;;) {
    const given = await agent.next(session);
    if (given.status !== "problem") break;
    seen.push(given);
    const answer = answers[given.task];
    if (answer) await agent.call(session, given, "submit", answer);
    else await agent.ask(`/sessions/${session}/problems/${given.problem}/leave`, {});
  }
  expect(new Set(seen.map(({ problem }) => problem)).size).toBe(1);
  expect(seen.map(({ task }) => task).slice(0, 3)).toEqual(["detection", "localization", "analysis"]);
});
