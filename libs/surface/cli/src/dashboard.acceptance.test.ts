import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ExperimentRequestInput } from "@microremed/contracts";
import { silentLogger as log } from "@microremed/core";
import { completion, startScriptedServer } from "@microremed/llm/testing";
import { startPrometheus } from "@microremed/servers/testing";
import { startStack } from "@microremed/stack";
import { expect, test } from "vitest";
import { connectClient } from "./client.ts";
import { untilFinished } from "./follow.ts";
import { Dashboard, mistakesIn } from "./testing/dashboard.ts";

const dir = new URL("../../../../docs/dashboards/", import.meta.url);
const rulesFile = fileURLToPath(new URL("alerts.yaml", dir));
const dashboard = Dashboard.parse(JSON.parse(await readFile(new URL("microremed.json", dir), "utf8")));
const playbook = "- hosts: k3s_control_plane\n  gather_facts: false\n  tasks:\n    - shell: 'true'\n";

/** `PROMETHEUS` names another one than that on PATH. */
const program = process.env["PROMETHEUS"] ?? "prometheus";

const isInstalled = spawnSync(program, ["--version"]).status === 0;

test("the dashboard is one that Grafana can show", () => {
  expect(mistakesIn(dashboard)).toEqual([]);
  expect(
    mistakesIn({ ...dashboard, panels: [...dashboard.panels, ...dashboard.panels.slice(0, 1)] }),
  ).toEqual([expect.stringContaining("another panel's too"), expect.stringContaining("overlaps")]);
});

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [number, string])[];
}

test("a real Prometheus that scrapes a range has data for every panel, and can evaluate every alert", async (context) => {
  if (!isInstalled)
    context.skip("no prometheus: apt-get install --no-install-recommends prometheus, or PROMETHEUS=path");
  await using cleanup = new AsyncDisposableStack();
  const scratch = await mkdtemp(join(tmpdir(), "microremed-dashboard-"));
  cleanup.defer(() => rm(scratch, { recursive: true, force: true, maxRetries: 5 }));
  const vendor = cleanup.use(
    await startScriptedServer(({ body }) => {
      if (body["model"] === "refuses") return { kind: "body", status: 401, body: "{}" };
      const hasProbed = JSON.stringify(body["messages"]).includes('"tool"');
      const [name, values] = hasProbed
        ? ["print_playbook", { playbook }]
        : ["probe_system", { command: "kubectl get pods" }];
      return completion({
        content: "",
        toolCalls: [{ name: String(name), arguments: JSON.stringify(values) }],
      });
    }),
  );
  const model = { baseUrl: vendor.url, apiKeyEnv: "PATH" };
  const modelsFile = join(scratch, "models.yaml");
  await writeFile(modelsFile, JSON.stringify({ models: { answers: model, refuses: model } }));
  const stack = cleanup.use(
    await startStack({
      clusters: { environments: ["simple-micro"], count: 2, timeScale: 200, seed: 1 },
      modelsFile,
      log,
    }),
  );
  const targetsFile = join(stack.dir, "metrics-targets.json");
  const discovery = { files: [targetsFile], refresh_interval: "1s" };
  const prometheus = cleanup.use(
    await startPrometheus(program, {
      rule_files: [rulesFile],
      scrape_configs: [{ job_name: "microremed", file_sd_configs: [discovery] }],
    }),
  );
  const { natsUrl: servers, natsUser: user, natsPassword: password } = stack;
  const client = cleanup.use(await connectClient({ servers, user, password }, log));
  const startedAt = Date.now() / 1000;
  const run = async (request: Omit<ExperimentRequestInput, "environment" | "failures">): Promise<void> => {
    const reply = await client.submit({ environment: "simple-micro", failures: ["pod-fail"], ...request });
    if (reply.status === "rejected") throw new Error(JSON.stringify(reply.issues));
    await untilFinished(client, reply.experimentId, AbortSignal.timeout(600_000));
  };
  await run({ model: ["answers", "reference/runbook", "refuses"], maxAttempts: 1, repeats: 2 });
  await expect.poll(() => valuesOf("sum(microremed_episodes_finished_total)")).toContain("6");

  async function valuesOf(expr: string): Promise<string[]> {
    const now = Date.now() / 1000;
    const query = { query: expr, start: String(startedAt), end: String(now), step: "1" };
    const { result } = await prometheus.api<{ result: Series[] }>("query_range", query);
    return result.flatMap(({ values }) => values.map(([, value]) => value));
  }
  const without: string[] = [];
  for (const panel of dashboard.panels) {
    if (panel.type === "row") continue;
    for (const { expr } of panel.targets) {
      const plain = expr.replaceAll("$__range", "3h").replaceAll("$__rate_interval", "15s");
      const values = await valuesOf(plain);
      if (!values.some((value) => Number.isFinite(Number(value)))) without.push(`${panel.title}: ${expr}`);
    }
  }
  // No process died, so nothing came twice.
  expect(without.filter((line) => !line.includes("messages_redelivered_total"))).toEqual([]);

  const { groups } = await prometheus.api<{
    groups: { rules: { name: string; health: string; lastError?: string }[] }[];
  }>("rules");
  const rules = groups.flatMap(({ rules }) => rules);
  expect(rules.length).toBeGreaterThan(8);
  expect(rules.filter(({ health }) => health !== "ok")).toEqual([]);
  const { activeTargets } = await prometheus.api<{ activeTargets: { health: string; lastError: string }[] }>(
    "targets",
  );
  expect(activeTargets.map(({ health, lastError }) => health + lastError)).toEqual(
    Array(stack.services.length).fill("up"),
  );
}, 1_200_000);
