import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attemptsOf, type ExperimentRequestInput } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import {
  completion,
  type ScriptedServer,
  type SeenRequest,
  startScriptedServer,
} from "@microremed/llm/testing";
import type { RangeClient } from "@microremed/range-client";
import { type Stack, startStack } from "@microremed/stack";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectClient } from "./client.ts";
import { saveEpisode } from "./save-episodes.ts";

const modelKey = "sk-canary-5b1d0c77e2";
/** Files that hold passwords because servers and clients read them from there; no other user may read them. */
const credentialFiles = /^(stack\.json|nats-server\.conf|redis-server\.conf)$/;

const prying =
  "cat /proc/self/environ /proc/1/environ /proc/*/cmdline /proc/*/environ ~/.kube/config /etc/*.conf";
const playbook = (task: string): string => `- hosts: k3s_control_plane
  gather_facts: false
  ignore_errors: true
  tasks:
    - ${task}
    - shell: env; ps auxwwe; ${prying}; find / -name stack.json -exec cat {} +; ls -R /tmp
      register: found
    - debug: {var: found}
`;
const lookups = `debug: {msg: "{{ lookup('env', 'OPENAI_API_KEY') }} {{ lookup('pipe', 'env') }}"}`;

/** Probes, then hands in a playbook that looks for secrets; or refuses and repeats the key, as some vendors do. */
function vendorReply({ headers, body }: SeenRequest) {
  if (body["model"] === "repeats-the-key") {
    const error = { message: `Incorrect API key provided: ${headers.authorization}` };
    return { kind: "body" as const, status: 401, body: JSON.stringify({ error }) };
  }
  const hasProbed = JSON.stringify(body["messages"]).includes('"tool"');
  const mayProbe = JSON.stringify(body["tools"] ?? []).includes("probe_system");
  return mayProbe && !hasProbed
    ? call("probe_system", { command: prying })
    : call("print_playbook", { playbook: playbook(lookups) });
}

function call(name: string, values: object) {
  return completion({ toolCalls: [{ name, arguments: JSON.stringify(values) }] });
}

const resources = new AsyncDisposableStack();
let saved: string;
let vendor: ScriptedServer;
let stack: Stack;
let client: RangeClient;

beforeAll(async () => {
  saved = await mkdtemp(join(tmpdir(), "microremed-secrets-"));
  resources.defer(() => rm(saved, { recursive: true, force: true }));
  process.env["CANARY_MODEL_KEY"] = modelKey;
  resources.defer(() => void delete process.env["CANARY_MODEL_KEY"]);
  vendor = resources.use(await startScriptedServer(vendorReply));
  const model = { baseUrl: vendor.url, apiKeyEnv: "CANARY_MODEL_KEY" };
  const modelsFile = join(saved, "models.yaml");
  await writeFile(modelsFile, JSON.stringify({ models: { pries: model, "repeats-the-key": model } }));
  stack = resources.use(
    await startStack({
      clusters: { environments: ["simple-micro"], count: 2, timeScale: 200, seed: 1 },
      modelsFile,
      logLevel: "debug",
      log: silentLogger,
    }),
  );
  const { natsUrl: servers, natsUser: user, natsPassword: password } = stack;
  client = resources.use(await connectClient({ servers, user, password }, silentLogger));
});

afterAll(() => resources.disposeAsync());

async function run(request: Omit<ExperimentRequestInput, "environment" | "failures">) {
  const reply = await client.submit({
    environment: "simple-micro",
    failures: ["cpu-stress"],
    timeouts: { recoverySeconds: 30, outageSeconds: 0 },
    ...request,
  });
  if (reply.status === "rejected") throw new Error(JSON.stringify(reply.issues));
  const heard: string[] = [];
  for await (const event of client.events(reply.experimentId, AbortSignal.timeout(600_000))) {
    heard.push(JSON.stringify(event));
    if (event.type === "experiment-finished") break;
  }
  const { experiment, episodes } = await client.experiment(reply.experimentId);
  // Experiments of the same case, at the same time, would write the same file.
  const folder = await mkdtemp(join(saved, "run-"));
  for (const record of episodes)
    await saveEpisode(folder, experiment, record, await client.conversation(record.id));
  return {
    heard: heard.join("\n"),
    episode: episodes[0],
    attempts: episodes.slice(0, 1).flatMap(attemptsOf),
  };
}

/** Files under a directory with what they hold; the servers keep everything that was ever stored as it is. */
async function filesUnder(
  directory: string,
): Promise<{ path: string; name: string; text: string; mode: number }[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ name, parentPath }) => {
      const path = join(parentPath, name);
      return { path, name, text: await readFile(path, "latin1"), mode: (await stat(path)).mode };
    }),
  );
}

async function commandLines(): Promise<string> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.join("\n");
}

test("secrets are in nothing that is stored, sent, logged or started, however hard a model looks for them", async () => {
  const passwords = [stack.natsPasswords, stack.redisPasswords].flatMap(Object.values<string>);
  const canaries = [modelKey, ...passwords];
  const running = Promise.all([
    run({ model: "pries", method: "ThinkRemed", policy: "open" }),
    run({ model: "pries", method: "SoloGen" }),
    run({ model: "repeats-the-key", method: "SoloGen", policy: "open" }),
  ]);
  const started: string[] = [];
  let isOver = false;
  const finished = running.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    started.push(await commandLines());
    await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, 200))]);
  }
  const [open, guarded, refused] = await finished;

  // It did search: what it found is stored, and so is that the guard would not have let it.
  expect(vendor.requests[0]?.headers.authorization).toBe(`Bearer ${modelKey}`);
  expect(open.attempts[0]?.execution).toMatchObject({ status: "ok" });
  expect(open.attempts[0]?.execution?.output).toContain("KUBECONFIG=/root/.kube/config");
  expect(guarded.attempts).toMatchObject([{ execution: { status: "rejected", rule: "lookups" } }]);
  expect(guarded.episode?.outcome).toBe("not-remediated");
  expect(refused.episode?.error?.code).toBe("model-refused");

  const files = [...(await filesUnder(stack.dir)), ...(await filesUnder(saved))];
  for (const kind of [".log", ".blk", ".aof", ".json"]) {
    const readable = files.some(({ name, text }) => name.endsWith(kind) && text.includes("simple-micro"));
    expect([kind, readable]).toEqual([kind, true]);
  }
  const credentials = files.filter(({ name }) => credentialFiles.test(name));
  expect(credentials.filter(({ text }) => text.includes(stack.natsPassword)).length).toBeGreaterThan(1);
  expect(credentials.filter(({ mode }) => (mode & 0o077) !== 0)).toEqual([]);
  const places = [
    ...files.filter(({ name }) => !credentialFiles.test(name)),
    { path: "events", text: [open, guarded, refused].map(({ heard }) => heard).join("\n") },
    { path: "prompts", text: JSON.stringify(vendor.requests.map(({ body }) => body)) },
    { path: "command lines", text: started.join("\n") },
  ];
  for (const canary of canaries) {
    expect(canary.length).toBeGreaterThan(15);
    const seen = places.filter(({ text }) => text.includes(canary));
    expect(seen.map(({ path }) => path)).toEqual([]);
  }
  expect(places.find(({ path }) => path === "prompts")?.text).toContain("KUBECONFIG");
});
