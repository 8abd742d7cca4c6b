import { mkdtempDisposable, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startReferenceModels } from "@microremed/reference-models";
import { builtInCatalogue } from "@microremed/registry";
import { execa } from "execa";
import { expect, test } from "vitest";
import { serveGym } from "./serve-gym.ts";

const small = join(import.meta.dirname, "../../../../../training/small");
/** A Python with PyTorch and PyYAML. */
const python = process.env["MICROREMED_TRAINERS_PYTHON"] ?? "python3";
const withinMs = 30 * 60_000;

test("a network goes from scratch through the three stages", { timeout: withinMs }, async ({ skip }) => {
  const found = await execa(python, ["-c", "import torch, yaml"], { reject: false });
  if (found.exitCode !== 0)
    return skip(`${python} cannot import torch and yaml; MICROREMED_TRAINERS_PYTHON names another`);
  await using directory = await mkdtempDisposable(join(tmpdir(), "small-network-"));
  await using models = await startReferenceModels({ faults: (await builtInCatalogue()).faults.all() });
  await using gym = await serveGym({
    ...{ host: "127.0.0.1", port: 0, workers: 1, most: 64, idleMs: withinMs },
    ...{ resetSeconds: 600, stepSeconds: 600 },
    ...{ trainerToken: "the-trainers-own-token", agentToken: undefined },
    order: { catalogues: [], environment: "simple-micro", soakSeconds: 0 },
  });
  const run = async (file: string, ...args: string[]): Promise<string> => {
    const ended = await execa(python, [join(small, file), ...args], {
      ...{ cwd: directory.path, reject: false, all: true, timeout: withinMs },
      env: { MICROREMED_GYM_URL: gym.url, PYTHONDONTWRITEBYTECODE: "1", OMP_NUM_THREADS: "1" },
    });
    expect(ended.exitCode, ended.all).toBe(0);
    return ended.stdout;
  };
  const toJson = "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))";
  const whole = JSON.parse((await execa(python, ["-c", toJson, join(small, "recipe.yaml")])).stdout);
  const recipe = {
    ...whole,
    faults: ["pod-fail", "replicas-zero"],
    systems: { "simple-micro": { train: ["hello-service"], held_out: ["time-service"] } },
    stage1: [{ ...whole.stage1[0], steps: 6, batch: 4 }],
    stage2: { ...whole.stage2, steps: 1, groups: 2, group: 2 },
    stage3: { ...whole.stage3, steps: 5, batch: 2 },
  };
  const at = (name: string): string => join(directory.path, name);
  await writeFile(at("recipe.yaml"), JSON.stringify(recipe));
  await run("collect.py", "recipe.yaml", "--models", models.url, "--out", "examples.jsonl");
  const [example] = (await readFile(at("examples.jsonl"), "utf8")).split("\n");
  expect(JSON.parse(example ?? "")).toMatchObject({
    earned: { clean: 1 },
    report: { target: "hello-service" },
  });

  await run("stage1.py", "recipe.yaml", "--examples", "examples.jsonl", "--out", "small-1");
  expect(await run("stage2.py", "recipe.yaml", "--model", "small-1", "--out", "small-2")).toContain(
    "step 1, ",
  );
  await writeFile(at("dpo.jsonl"), `${JSON.stringify(pairOf(JSON.parse(example ?? "")))}\n`);
  expect(
    await run("stage3.py", "recipe.yaml", "--model", "small-2", "--pairs", "dpo.jsonl", "--out", "small-3"),
  ).toContain("1 pairs for training");
  await run("export.py", "--model", "small-3", "--out", "network.bin", "--logits", "logits.json");
  expect((await stat(at("network.bin"))).size).toBeGreaterThan(500_000);
  expect(
    await run(
      "trial.py",
      "recipe.yaml",
      "--models",
      models.url,
      "--model",
      "small-3",
      "--out",
      "trial.jsonl",
    ),
  ).toMatch(/targets +reference\/runbook +2 episodes +recovered 100%/);
});

/** A pair as `preferences export` writes it. */
function pairOf({ report, script }: { readonly report: Record<string, string>; readonly script: string }) {
  const content = `Namespace: ${report["namespace"]}\nFailure category: ${report["fault"]}\nFailed service: ${report["target"]}`;
  const handedIn = (text: string) => {
    const playbook = `- tasks:\n    - ansible.builtin.shell: |\n        set -e\n        ${text.replaceAll("\n", "\n        ")}`;
    const called = { name: "print_playbook", arguments: JSON.stringify({ playbook }) };
    return [
      { role: "assistant", content: null, tool_calls: [{ id: "a", type: "function", function: called }] },
    ];
  };
  return {
    prompt: [{ role: "user", content }],
    chosen: handedIn(script),
    rejected: handedIn("true"),
    metadata: { environment: "simple-micro" },
  };
}
