import { once } from "node:events";
import { mkdtempDisposable, readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createSocketServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attemptsOf, type EpisodeRecord, type ExperimentRequestInput } from "@microremed/contracts";
import { createModels } from "@microremed/llm";
import { loadCatalogue } from "@microremed/registry";
import { runProgram } from "@microremed/sandbox";
import { sandboxesHere } from "@microremed/sandbox/testing";
import { type InProcessRange, startInProcessRange } from "@microremed/stack/in-process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeToken, usualLimits } from "../gateway/make-token.ts";
import { type ProgramOptions, playSession } from "./play-session.ts";
import { openSession } from "./session-client.ts";

// Real programs in the sandbox of this machine, on a range in this process.

const { best: sandbox } = await sandboxesHere();
const root = join(import.meta.dirname, "..", "..", "..", "..", "..");
const mitigation = "microremed@1/simple-micro-easy-01";
const detection = "range@1/simple-micro-pod-config-error-hello-service-detection";
const repair = "kubectl delete stresschaos,networkchaos,podchaos,iochaos --all";

let range: InProcessRange;
let token: string;
let experiments = 0;
const modelCalls: { path: string | undefined; key: string | undefined; model: unknown }[] = [];
const vendor = createServer(async (request, response) => {
  let text = "";
  for await (const part of request) text += part;
  const { model } = JSON.parse(text) as { model: unknown };
  modelCalls.push({ path: request.url, key: request.headers.authorization, model });
  const usage = { prompt_tokens: 1_000, completion_tokens: 50 };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content: "yes" } }], usage }));
});
beforeAll(async () => {
  const catalogue = await loadCatalogue();
  range = await startInProcessRange({
    ...{ catalogue, environments: ["simple-micro"], clusters: 2, gatewayPort: 0 },
  });
  const made = makeToken(
    { scope: "agent", name: "*", ...usualLimits, requestsPerMinute: 60_000 },
    Date.now(),
  );
  await range.state.tokens.put(made.record);
  token = made.text;
  vendor.listen(0, "127.0.0.1");
  await once(vendor, "listening");
});
afterAll(async () => {
  vendor.closeAllConnections();
  vendor.close();
  await range[Symbol.asyncDispose]();
});

/** Runs a program on problems, and returns the episodes. */
async function play(
  argv: readonly string[],
  request: Partial<ExperimentRequestInput> = {},
  changes: Partial<ProgramOptions> = {},
): Promise<readonly EpisodeRecord[]> {
  const id = `programs-${experiments++}`;
  const wanted = { id, problems: [mitigation], method: "Session", model: "session/tester", ...request };
  const budgets = { probeRounds: 400, toolCalls: 400, ...request.budgets };
  const reply = await range.client.submit({ maxProbes: 50, ...wanted, budgets } as ExperimentRequestInput);
  expect(reply).toMatchObject({ status: "accepted" });
  const { signal } = new AbortController();
  const access = { url: range.gateway?.url ?? "", token };
  const session = await openSession(access, { agent: "tester", experiment: id }, signal);
  const options: ProgramOptions = {
    ...{ argv, sandbox, mounts: [], hidden: [], env: {}, memoryBytes: 2 ** 30, seconds: 60 },
    ...{ model: undefined, logs: undefined, say: () => {}, ...changes },
  };
  try {
    await playSession(session, 2, options, signal);
  } catch (thrown) {
    // As the command does: else its other episodes hold the arenas until the agent is silent for too long.
    await range.client.cancel(id, "agent");
    throw thrown;
  } finally {
    await session.close();
  }
  return (await range.client.experiment(id)).episodes;
}

const commandIn = (args: unknown): unknown => (args as { readonly command?: unknown } | null)?.command;
const bash = (script: string): string[] => ["bash", "-c", script];

test("a shell script repairs a system with kubectl: its commands are steps like a model's", async () => {
  const made = "cat > map.yaml; kubectl apply -f map.yaml -o name; kubectl delete configmap it-is";
  const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: it-is}\ndata: {a: "it\'s"}\n';
  const script = `kubectl get pods -o name | grep -c pod; printf '%s' '${yaml.replaceAll("'", "'\\''")}' | (${made}); ${repair}`;
  const [episode] = await play(bash(script));
  expect(episode).toMatchObject({ outcome: "remediated", model: "session/tester" });
  expect(episode?.steps.map(({ kind, arguments: args }) => [kind, commandIn(args)])).toEqual([
    ["observe", "kubectl get pods -o name"],
    ["act", expect.stringContaining("kubectl apply -f - -o name <<'END_OF_INPUT'\napiVersion: v1")],
    ["act", "kubectl delete configmap it-is"],
    ["act", repair],
    ["submit", undefined],
  ]);
});

test("a Python program answers over HTTP, in a file, or as its last line", async () => {
  const overHttp = `
import json, os, sys, urllib.request
env = os.environ
path = f"{env['MICROREMED_URL']}/v1/sessions/{env['MICROREMED_SESSION']}/problems/{env['MICROREMED_PROBLEM']}/calls"
def call(tool, arguments={}):
    body = json.dumps({"tool": tool, "arguments": arguments}).encode()
    request = urllib.request.Request(path, body, {"content-type": "application/json"})
    return json.load(urllib.request.urlopen(request))
assert "Deployment" in sys.stdin.read() + call("get_topology")["text"] + "Deployment"
assert call("submit", {"anomaly": True})["status"] == "ended"
`;
  const inFile = `import json, os; json.dump({"anomaly": True}, open(os.environ["MICROREMED_ANSWER_FILE"], "w"))`;
  const printed = `print("thinking"); print('{"anomaly": false}')`;
  const outcomes: unknown[] = [];
  for (const program of [overHttp, inFile, printed])
    outcomes.push((await play(["python3", "-c", program], { problems: [detection] }))[0]?.outcome);
  expect(outcomes).toEqual(["solved", "solved", "not-solved"]);
});

test("what a program printed is kept, also when it is stopped after its turn", async () => {
  await using logs = await mkdtempDisposable(join(tmpdir(), "microremed-logs-"));
  const program = `
import json, os, time, urllib.request
env = os.environ
path = f"{env['MICROREMED_URL']}/v1/sessions/{env['MICROREMED_SESSION']}/problems/{env['MICROREMED_PROBLEM']}/calls"
print("before", flush=True)
body = json.dumps({"tool": "submit", "arguments": {"anomaly": True}}).encode()
urllib.request.urlopen(urllib.request.Request(path, body, {"content-type": "application/json"})).read()
time.sleep(600)
`;
  const asked = { problems: [detection] };
  const [episode] = await play(["python3", "-c", program], asked, { logs: logs.path, graceMs: 0 });
  expect(episode?.outcome).toBe("solved");
  const [file = ""] = await readdir(logs.path);
  const [, problem = ""] = /^001_detection_(p[a-z0-9]+)_attempt-1\.log$/.exec(file) ?? [];
  expect(problem).not.toBe("");
  expect(await readFile(join(logs.path, file), "utf8")).toMatch(/^before\n/);
});

test("a program that does nothing, turn after turn, ends the run", async () => {
  const idle = play(bash("echo no key; exit 3"), { problems: [detection], repeats: 7 });
  await expect(idle).rejects.toMatchObject({
    code: "invalid-request",
    message: expect.stringMatching(/ended 5 times in a row without a call.*exit code 3 and prints "no key"/),
  });
});

test("what a model has used up is in the record, also of a program that leaves without a call or an answer", async () => {
  const ask = `
import json, os, urllib.request
body = json.dumps({"model": "x", "messages": [{"role": "user", "content": "hello"}]}).encode()
request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, {"content-type": "application/json"})
urllib.request.urlopen(request).read()
`;
  const { port } = vendor.address() as { readonly port: number };
  const models = createModels({
    env: {},
    fallback: { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: "secret" },
  });
  const model = models.resolve("some-model");
  const [episode] = await play(["python3", "-c", ask], { problems: [detection] }, { model });
  expect(episode).toMatchObject({ outcome: "not-solved", reason: expect.stringContaining("left no answer") });
  const used = episode?.steps.map((step) => (step.kind === "observe" ? 0 : step.turn?.usage.promptTokens));
  expect(used).toEqual([1_000]);
  // Calls between which no model was asked cost nothing, so that the cost of all is known.
  const prices = { input: 1, output: 2, cachedInput: 1 };
  const priced = { ...model, prices: { ...model.prices, ...prices } };
  const calls = `kubectl get pods > /dev/null; kubectl get pods > /dev/null; python3 -c '${ask}'; echo '{"anomaly": true}'`;
  const [answered] = await play(bash(calls), { problems: [detection] }, { model: priced });
  const cost = attemptsOf(answered as EpisodeRecord)[0]?.usage.cost;
  expect([answered?.outcome, typeof cost]).toEqual(["solved", "number"]);
});

test("a program that fails or leaves no answer gives its problem up, and the record says why", async () => {
  const [silent] = await play(["true"], { problems: [detection] });
  expect(silent).toMatchObject({ outcome: "not-solved", reason: expect.stringContaining("left no answer") });
  const [failed] = await play(bash("exit 7"));
  expect(failed).toMatchObject({
    ...{ outcome: "not-remediated", restored: "reset" },
    reason: expect.stringContaining("ended with exit code 7"),
  });
  const [slow] = await play(bash("sleep 600"), {}, { seconds: 1 });
  expect(slow).toMatchObject({ reason: expect.stringContaining("took longer than 1 s") });
});

test("it is started again for each attempt, and for each of several problems at once", async () => {
  const script = `grep -q "attempt" problem.md; ${repair}`;
  const episodes = await play(bash(script), { problems: [mitigation, "microremed@1/simple-micro-easy-02"] });
  expect(episodes).toHaveLength(2);
  const tried = "kubectl rollout restart deployment/hello-service";
  const [again] = await play(bash(tried), { maxAttempts: 3 });
  expect(attemptsOf(again as EpisodeRecord).length).toBeGreaterThan(1);
});

test("it calls the model that is named, and no other: tokens and calls are counted, the key stays outside", async () => {
  const address = vendor.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const fallback = { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: "the-key" };
  const model = createModels({ env: {}, fallback }).resolve("small");
  const program = `
import json, os, urllib.error, urllib.request
base = os.environ["OPENAI_BASE_URL"]
def post(path, body, url=base):
    request = urllib.request.Request(url + path, json.dumps(body).encode(), {"content-type": "application/json"})
    return json.load(urllib.request.urlopen(request))
for name in ["small", "expensive"]:
    assert post("/chat/completions", {"model": name, "messages": []})["choices"]
for path in ["/files", "/../admin", "/models", "/chat/completions/../files"]:
    try:
        post(path, {})
        raise SystemExit("passed " + path)
    except urllib.error.HTTPError as error:
        assert error.code == 404, path
assert "the-key" not in json.dumps(dict(os.environ))
print(json.dumps({"anomaly": True}))
`;
  modelCalls.length = 0;
  const [episode] = await play(["python3", "-c", program], { problems: [detection] }, { model });
  expect(episode?.outcome).toBe("solved");
  const call = { path: "/v1/chat/completions", key: "Bearer the-key", model: "small" };
  expect(modelCalls).toEqual([call, call]);
  expect(attemptsOf(episode as EpisodeRecord)[0]?.usage).toMatchObject({
    ...{ promptTokens: 2_000, completionTokens: 100 },
  });
});

describe.runIf(sandbox.kind === "bubblewrap")("hostile programs", () => {
  test("get nothing of the machine, the network, the range and other problems, and end with their turn", async () => {
    const listening = createSocketServer(() => {}).listen(0, "127.0.0.1");
    await once(listening, "listening");
    const address = listening.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const program = `
import json, os, socket, subprocess, urllib.error, urllib.request
env = os.environ
base, session, problem = env["MICROREMED_URL"], env["MICROREMED_SESSION"], env["MICROREMED_PROBLEM"]
got = []
def status(method, path, body=b"{}"):
    request = urllib.request.Request(path, body, {"content-type": "application/json"}, method=method)
    try:
        return urllib.request.urlopen(request, timeout=20).status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0
origin = base.rsplit("/", 1)[0]
for method, path in [
    ("POST", "/v1/sessions"), ("GET", "/v1/token"), ("GET", "/v1/experiments"), ("GET", "/v1/suites"),
    ("DELETE", f"/v1/sessions/{session}"), ("POST", f"/v1/sessions/s{'0' * 20}/next"),
    ("POST", f"/v1/sessions/{session}/problems/p{'0' * 12}/calls"),
    ("POST", f"/v1/sessions/{session}/problems/{problem}/leave"),
    ("POST", f"/v1/sessions/{session}/../../experiments"),
    ("POST", "/model/v1/chat/completions"),
]:
    if status(method, base + path) < 400: got.append(path)
if status("POST", origin + "/v1/sessions") < 400: got.append("without the secret")
if status("POST", base + "/shell", b"x" * 3_000_000) < 400: got.append("a huge body")
for host, port in [("127.0.0.1", ${port}), ("1.1.1.1", 80), ("169.254.169.254", 80)]:
    try:
        socket.create_connection((host, port), 2); got.append(host)
    except OSError:
        pass
for path in ["/etc/shadow", "/root/.profile", "${root}/package.json"]:
    try:
        open(path).read(); got.append(path)
    except OSError:
        pass
subprocess.Popen(["setsid", "sleep", "600"])
print(json.dumps({"anomaly": got == []}))
if got: print(json.dumps({"anomaly": False}), got)
`;
    const logged: string[] = [];
    await using logs = await mkdtempDisposable(join(tmpdir(), "microremed-logs-"));
    const [episode] = await play(
      ["python3", "-c", program],
      { problems: [detection] },
      {
        say: (text) => logged.push(text),
        logs: logs.path,
      },
    );
    listening.close();
    expect(episode).toMatchObject({ outcome: "solved" });
    expect(logged).toEqual([]);
    const [file = ""] = await readdir(logs.path);
    expect(await readFile(join(logs.path, file), "utf8")).toContain('"anomaly": true');
  });

  test("fork bombs, endless output, all memory and processes left over end the program alone", async () => {
    const programs = [
      [":(){ :|:& };:; sleep 30", 3],
      ["yes", 60],
      ["exec python3 -c 'x = []\nwhile True: x.append(bytearray(2 ** 24))'", 60],
      ["(setsid sleep 600 &); while true; do :; done", 2],
    ] as const;
    for (const [script, seconds] of programs) {
      const [episode] = await play(bash(script), {}, { seconds, memoryBytes: 256 * 2 ** 20 });
      expect([script, episode]).toMatchObject([script, { outcome: "not-remediated", restored: "reset" }]);
    }
    const [well] = await play(bash(repair));
    expect(well?.outcome).toBe("remediated");
  });

  test("a flood of calls ends at the limits of its own turn", async () => {
    const flood =
      "for i in $(seq 300); do kubectl get pods > /dev/null 2>&1 & [ $((i % 20)) = 0 ] && wait; done; wait";
    const [episode] = await play(bash(flood), { budgets: { toolCalls: 30 } });
    expect(episode?.outcome).toBe("not-remediated");
    expect(episode?.steps.length).toBeLessThanOrEqual(40);
  });
});

const modules = join(root, "node_modules");
/** Where the repository is not to be read by others, a user without rights sees no module of it. */
const seesModules = async (): Promise<boolean> => {
  const argv = ["test", "-r", join(modules, "@modelcontextprotocol", "sdk", "package.json")] as const;
  const end = await runProgram({
    ...{ argv, sandbox, mounts: [modules], memoryBytes: 2 ** 28, timeoutMs: 30_000, door: () => {} },
    surroundings: () => ({ files: {}, programs: [], env: {} }),
  });
  return end.exitCode === 0;
};

test.runIf(await seesModules())("an MCP client of the official SDK solves a problem", async () => {
  const sdk = join(modules, "@modelcontextprotocol", "sdk", "dist", "esm", "client");
  const program = `
import { Client } from "${sdk}/index.js";
import { StreamableHTTPClientTransport } from "${sdk}/streamableHttp.js";
const client = new Client({ name: "tester", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(process.env.MICROREMED_MCP_URL)));
const call = async (name, args = {}) => (await client.callTool({ name, arguments: args })).content[0].text;
const { tools } = await client.listTools();
if (!tools.some(({ name }) => name === "get_logs")) throw new Error("no tools");
if (!(await call("next_problem")).includes("Attempt 1")) throw new Error("no problem");
await call("get_events");
await call("submit", { anomaly: true });
if (!(await call("next_problem")).startsWith("No problem is left")) throw new Error("it goes on");
`;
  const node = join(modules, "node", "bin", "node");
  const [episode] = await play(
    [node, "--input-type=module", "-e", program],
    { problems: [detection] },
    { mounts: [modules] },
  );
  expect(episode).toMatchObject({ outcome: "solved" });
  expect(episode?.steps.map(({ tool }) => tool)).toEqual(["get_events", "submit"]);
});
