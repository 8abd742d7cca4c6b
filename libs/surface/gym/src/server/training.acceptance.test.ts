import { mkdtempDisposable, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { serveGym } from "./serve-gym.ts";

const root = join(import.meta.dirname, "../../../../..");
const training = join(root, "training");
/** A Python with the packages of `training/requirements.txt`: they are too large to be installed here. */
const python = process.env["MICROREMED_TRAINERS_PYTHON"] ?? "python3";
const withinMs = 30 * 60_000;

/** Why the scripts cannot be tried; undefined: they can. */
async function lacking(): Promise<string | undefined> {
  const found = await execa(python, ["-c", "import trl, peft"], { reject: false, all: true });
  const why = found.all?.trim().split("\n").at(-1) || "it did not start";
  return found.exitCode === 0
    ? undefined
    : `${python} cannot import trl and peft: ${why}; MICROREMED_TRAINERS_PYTHON names another`;
}

const scriptsOf = (cwd: string, env: Readonly<Record<string, string>> = {}) => ({
  async run(file: string, ...args: string[]): Promise<string> {
    const ended = await execa(python, [join(training, file), ...args], {
      ...{ cwd, reject: false, all: true, timeout: withinMs },
      env: {
        ...{ PYTHONPATH: join(root, "clients/python/src"), PYTHONDONTWRITEBYTECODE: "1" },
        ...{ HF_HUB_OFFLINE: "1", OMP_NUM_THREADS: "1", ...env },
      },
    });
    expect(ended.exitCode, ended.all).toBe(0);
    return ended.stdout;
  },
});

test("a tiny model goes through the three stages", { timeout: withinMs }, async ({ skip }) => {
  const why = await lacking();
  if (why !== undefined) return skip(why);
  await using directory = await mkdtempDisposable(join(tmpdir(), "training-"));
  const at = (name: string) => join(directory.path, name);
  const recipe = join(training, "recipes/tiny.yaml");
  const built = [
    "traces",
    "build",
    "--suite",
    "random@1",
    "--env",
    "simple-micro",
    "--n",
    "4",
    "--per-case",
    "2",
  ];
  const command = join(root, "libs/surface/cli/bin/microremed.mjs");
  await execa(process.execPath, [command, ...built, "--soak", "0", "--out", at("traces")]);
  const file = at("traces/openai-chat/train.jsonl");
  const scripts = scriptsOf(directory.path);
  await scripts.run("tiny_model.py", file, "--out", "tiny");
  expect(
    await scripts.run("stage1_sft.py", recipe, "--model", "tiny", "--traces", "traces", "--out", "model-1"),
  ).toContain("the model is in model-1");

  await using gym = await serveGym({
    ...{ host: "127.0.0.1", port: 0, workers: 1, most: 64, idleMs: withinMs },
    ...{ resetSeconds: 600, stepSeconds: 600 },
    ...{ trainerToken: "the-trainers-own-token", agentToken: undefined },
    order: { catalogues: [], environment: "simple-micro", soakSeconds: 0 },
  });
  const trained = await scriptsOf(directory.path, { MICROREMED_GYM_URL: gym.url }).run(
    ...(["stage2_grpo.py", recipe, "--model", "model-1", "--out", "model-2"] as const),
  );
  expect(trained).toMatch(/'gym\/episodes': '?8/);
  expect(trained).toMatch(/^pod-fail +4 /m);

  const [trace] = (await readFile(file, "utf8"))
    .split("\n")
    .map((line) => (line === "" ? undefined : JSON.parse(line)));
  const start = trace.messages.findIndex((message: { role: string }) => message.role === "assistant");
  const pair = {
    ...{ prompt: trace.messages.slice(0, start), tools: trace.tools, metadata: { pair: "a" } },
    ...{
      chosen: trace.messages.slice(start, start + 1),
      rejected: [{ role: "assistant", content: "Nothing." }],
    },
  };
  await writeFile(at("dpo.jsonl"), `${JSON.stringify(pair)}\n${JSON.stringify(pair)}\n`);
  const preferring = [
    "stage3_dpo.py",
    recipe,
    "--model",
    "model-2",
    "--pairs",
    "dpo.jsonl",
    "--out",
    "model-3",
  ] as const;
  expect(await scripts.run(...preferring)).toContain("the model is in model-3");
  expect(await readdir(at("model-3"))).toEqual(
    expect.arrayContaining(["model.safetensors", "tokenizer.json"]),
  );
  expect(await scripts.run("cost.py", file)).toMatch(/^Qwen3-14B.* +\d/m);
});

test("every recipe has fields that the trainers know", { timeout: withinMs }, async ({ skip }) => {
  const why = await lacking();
  if (why !== undefined) return skip(why);
  const code = `
import sys
from trl import DPOConfig, GRPOConfig, SFTConfig
from recipe import adapter_of, recipe_of, trainer_settings
for path in sys.argv[1:]:
    recipe = {**recipe_of(path), "precision": "fp32"}
    for stage, kind in (("sft", SFTConfig), ("grpo", GRPOConfig), ("dpo", DPOConfig)):
        kind(**trainer_settings(recipe, stage, "none"))
    adapter_of(recipe)
`;
  const recipes = (await readdir(join(training, "recipes"))).map((name) => join(training, "recipes", name));
  expect(recipes.length).toBeGreaterThan(1);
  const checked = await execa(python, ["-c", code, ...recipes], { cwd: training, reject: false, all: true });
  expect(checked.exitCode, checked.all).toBe(0);
});
