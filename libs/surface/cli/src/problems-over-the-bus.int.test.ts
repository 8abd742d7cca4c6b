import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { kinds } from "@microremed/cluster";
import { openClusters } from "@microremed/cluster/kubeconfig";
import {
  attemptsOf,
  type ChatMessage,
  type EpisodeRecord,
  type ExperimentRequestInput,
  type RangeEvent,
} from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import {
  completion,
  type ScriptedReply,
  type ScriptedServer,
  type SeenRequest,
  startScriptedServer,
} from "@microremed/llm/testing";
import type { RangeClient } from "@microremed/range-client";
import { type Stack, startStack } from "@microremed/stack";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectClient } from "./client.ts";
import { connectionTo } from "./local-stack.ts";
import { episodeFile } from "./save-episodes.ts";

const bin = join(import.meta.dirname, "..", "bin", "microremed.mjs");
const target = "hello-service";
const incident = [{ fault: "pod-config-error", target }];
const suite = {
  name: "bus@1",
  // The model of the cycle knows them.
  values: "own",
  description: "problems of the test",
  problems: [
    { id: "small", environment: "simple-micro", incident, tasks: ["detection", "cycle", "mitigation"] },
    { id: "calm", environment: "simple-micro", incident: [], tasks: ["detection"] },
    {
      id: "large",
      environment: "online-boutique",
      incident: [{ fault: "pod-config-error", target: "adservice" }],
      tasks: ["detection"],
    },
    {
      id: "watched",
      environment: "simple-micro",
      incident: [{ fault: "cpu-stress", target }],
      tasks: ["monitoring"],
      watch: { windows: 2, windowSeconds: 600 },
    },
  ],
};

const undo = `kubectl rollout undo deployment/${target} && kubectl rollout status deployment/${target} --timeout=120s`;
const object = { kind: "Deployment", name: target };
const cause = {
  object,
  field: "spec.template.spec.containers[0].resources.limits",
  wrong: "cpu 2m, memory 200Mi",
  right: "cpu 500m, memory 2000Mi",
  mechanism: "resources-too-small",
  system_level: "Virtualization",
  fault_type: "Misconfiguration",
};
/** Each makes one object of a name of its own: who runs it twice leaves two. */
const write = `printf '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"note-","labels":{"note":"yes"}}}' | kubectl create -f - && sleep 30`;

type Called = readonly [tool: string, args: object];

/** What models of these names call, by how many answers they have given in the conversation so far. */
const models: Readonly<Record<string, (answered: number, tools: readonly string[]) => Called>> = {
  looker: (answered) =>
    answered < 4 ? ["probe_system", { command: "sleep 3; kubectl get pods" }] : ["submit", { anomaly: true }],
  writer: (answered) =>
    [["exec_shell", { command: write }] as const, ["exec_shell", { command: undo }] as const][answered] ?? [
      "submit",
      {},
    ],
  cycler: (_, wanted) => {
    if (wanted.includes("anomaly")) return ["submit", { anomaly: true }];
    if (wanted.includes("objects")) return ["submit", { objects: [object] }];
    if (wanted.includes("causes")) return ["submit", { causes: [cause] }];
    const playbook = `- hosts: k3s_control_plane\n  gather_facts: false\n  tasks:\n    - ansible.builtin.shell: ${undo}\n`;
    return ["print_playbook", { playbook }];
  },
};

function reply({ body }: SeenRequest): ScriptedReply {
  const { model, messages, tools } = body as {
    model: string;
    messages: readonly { role: string }[];
    tools: readonly {
      function: { name: string; parameters: { properties?: Record<string, unknown> } };
    }[];
  };
  const wanted = tools.flatMap(({ function: { name, parameters } }) =>
    name === "submit" ? Object.keys(parameters.properties ?? {}) : [],
  );
  const answered = messages.filter(({ role }) => role === "assistant").length;
  const [name, args] = models[model]?.(answered, wanted) ?? ["submit", {}];
  return completion({ toolCalls: [{ id: `call-${answered}`, name, arguments: JSON.stringify(args) }] });
}

const resources = new AsyncDisposableStack();
let dir: string;
let vendor: ScriptedServer;
let stack: Stack;
let client: RangeClient;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "microremed-problems-"));
  resources.defer(() => rm(dir, { recursive: true, force: true }));
  const catalogue = join(dir, "catalogue");
  await mkdir(join(catalogue, "suites", suite.name), { recursive: true });
  await writeFile(join(catalogue, "suites", suite.name, "suite.yaml"), JSON.stringify(suite));
  vendor = resources.use(await startScriptedServer(reply));
  const modelsFile = join(dir, "models.yaml");
  const listed = Object.keys(models).map((name) => [name, { baseUrl: vendor.url }]);
  await writeFile(modelsFile, JSON.stringify({ models: Object.fromEntries(listed) }));
  stack = resources.use(
    await startStack({
      clusters: { environments: ["simple-micro", "online-boutique"], count: 2, timeScale: 200, seed: 1 },
      // Of its own, to be killed without the clusters.
      replicas: { executor: 1 },
      catalogueDirs: [catalogue],
      modelsFile,
      log: silentLogger,
    }),
  );
  client = resources.use(await connectClient(connectionTo(stack), silentLogger));
});

afterAll(() => resources.disposeAsync());

/** Kills a service without warning; it is started again. */
function kill(service: string): void {
  const pid = stack.services.find(({ name }) => name === service)?.pid;
  if (pid === undefined) throw new Error(`${service} has no process`);
  process.kill(pid, "SIGKILL");
}

type Wanted = Omit<ExperimentRequestInput, "environment">;

async function run(
  request: Wanted & { id: string },
  onEvent: (event: RangeEvent) => unknown = () => undefined,
): Promise<readonly EpisodeRecord[]> {
  const accepted = await client.submit({ maxAttempts: 1, soakSeconds: 0, policy: "open", ...request });
  expect(accepted).toMatchObject({ status: "accepted" });
  for await (const event of client.events(request.id, AbortSignal.timeout(300_000))) {
    await onEvent(event);
    if (event.type === "experiment-finished") break;
  }
  return (await client.experiment(request.id)).episodes;
}

/** A run that fails or ends before says so, instead of what is polled for. */
function meanwhile(ended: Promise<unknown>, polled: PromiseLike<unknown>): Promise<unknown> {
  const early = ended.then(() => Promise.reject(new Error("the run ended before")));
  return Promise.race([polled, early]);
}

const answers = (conversation: readonly ChatMessage[]): readonly string[] =>
  conversation.flatMap((message) => (message.role === "tool" ? [message.content] : []));

test("one request is on two environments, and each problem is graded by its own", async () => {
  const problems = ["bus@1/small", "bus@1/calm", "bus@1/large"];
  const alone = { method: "AlwaysYes", model: "none", task: "detection" };
  const episodes = await run({ id: "two-systems", problems, ...alone });
  expect(episodes.map(({ problem, outcome }) => [problem?.environment, outcome])).toEqual([
    ["simple-micro", "solved"],
    ["simple-micro", "not-solved"],
    ["online-boutique", "solved"],
  ]);
});

test("a cycle whose scheduler is killed in its middle is scored as a whole", async () => {
  const cycle = { problems: ["bus@1/small"], task: "cycle", method: "ReAct", model: "cycler" };
  let kills = 0;
  const rough = await run({ id: "cycle", ...cycle }, (event) => {
    if (event.type !== "episode-advanced" || event.state !== "grading" || kills > 1) return;
    kills++;
    kill("scheduler");
  });
  expect(kills).toBe(2);
  expect(rough).toMatchObject([{ outcome: "solved", error: null, trial: 1 }]);
  const parts = rough.flatMap(attemptsOf);
  expect(parts.map(({ grade }) => grade?.passed)).toEqual([true, true, true, true]);
  expect(parts.at(-1)?.verdict).toMatchObject({ recovered: true });
});

test("a remediator killed between tool calls leaves the turn to the next, which pays no answer again", async () => {
  const before = vendor.requests.length;
  const ended = run({
    ...{ id: "looks", problems: ["bus@1/small"], task: "detection" },
    ...{ method: "ReAct", model: "looker" },
  });
  const asked = async (): Promise<number> => {
    const conversation = await client.conversation("looks.0000").catch(() => []);
    return conversation.filter(({ role }) => role === "assistant").length;
  };
  await meanwhile(ended, expect.poll(asked).toBe(2));
  kill("remediator");
  const [episode] = await ended;
  expect(episode).toMatchObject({ outcome: "solved", error: null, trial: 1 });
  expect(vendor.requests.length - before).toBe(5);
  const conversation = await client.conversation(episode?.id ?? "");
  expect(answers(conversation).filter((answer) => answer.includes(target))).toHaveLength(4);
});

test("an executor killed within a write has made it once, and says that it does not know", async () => {
  await using clusters = await openClusters(stack.clustersFile, { log: silentLogger });
  const made = async (): Promise<number> => {
    const counts = clusters.names.map(async (name) => {
      const options = { namespace: "simple-micro", labelSelector: "note=yes" };
      return (await (await clusters.get(name)).list(kinds.configMap, options)).length;
    });
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  };
  let most = 0;
  const ended = run(
    {
      ...{ id: "writes", problems: ["bus@1/small"], task: "mitigation" },
      ...{ method: "Player", model: "writer" },
    },
    async () => {
      most = Math.max(most, await made());
    },
  );
  await meanwhile(ended, expect.poll(made).toBe(1));
  kill("executor");
  const [episode] = await ended;
  expect(most).toBe(1);
  const conversation = await client.conversation(episode?.id ?? "");
  expect(answers(conversation)[0]).toMatch(/not known whether this was run/);
  expect(episode).toMatchObject({ error: null, trial: 1 });
  expect(await made()).toBe(0);
});

/** The command line beside the range. */
async function microremed(...args: string[]) {
  const env = {
    ...process.env,
    NATS_URL: stack.natsUrl,
    NATS_USER: stack.natsUser,
    NATS_PASSWORD: stack.natsPassword,
    CATALOGUE_DIRS: join(dir, "catalogue"),
  };
  const child = spawn(process.execPath, [bin, ...args], { cwd: dir, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
}

test("saved results of problems are gone on with and compared, a watch too", async () => {
  const problems = ["bus@1/small", "bus@1/calm", "bus@1/watched"].flatMap((name) => ["--problem", name]);
  const tasks = ["--task", "detection", "--task", "monitoring"];
  const run = ["run", ...problems, ...tasks, "--agent", "AlwaysYes", "--output", "json"];
  const first = await microremed(...run, "--save-path", "saved");
  expect(first).toMatchObject({ code: 0 });
  const whole = JSON.parse(first.stdout);
  const outcomes = ({ episodes }: { episodes: { caseId: string; task: string; outcome: string }[] }) =>
    episodes.map(({ caseId, task, outcome }) => `${caseId} ${task} ${outcome}`).sort();
  expect(outcomes(whole)).toHaveLength(3);

  const files = (await readdir(join(dir, "saved"))).filter((name) => episodeFile.test(name)).sort();
  for (const lost of files.slice(1)) await rm(join(dir, "saved", lost));
  const resumed = await microremed("run", "--resume", "saved", "--output", "json");
  expect(resumed.stderr).toContain("1 episode done, 2 to be run");
  expect(outcomes(JSON.parse(resumed.stdout))).toEqual(outcomes(whole));

  const other = [...run.filter((word) => word !== "AlwaysYes"), "--save-path", "other"];
  const no = await microremed(...other.map((word) => (word === "--agent" ? "--agent=AlwaysNo" : word)));
  expect(no).toMatchObject({ code: 0 });
  const compared = await microremed("compare", "saved", "other", "--output", "json");
  expect(compared).toMatchObject({ code: 0 });
  expect(JSON.parse(compared.stdout)).not.toEqual([]);
});
