import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startReferenceModels } from "@microremed/reference-models";
import { builtInCatalogue } from "@microremed/registry";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RangeUnderTest, upRange } from "../testing/a-range.ts";

const clients = join(import.meta.dirname, "../../../../../clients/python");
const examples = join(clients, "examples");
const withinMs = 9 * 60_000;

const open = new AsyncDisposableStack();
let range: RangeUnderTest;
let folder: string;
let env: Readonly<Record<string, string>>;

/** Runs a program of the environment in which the examples' requirements are installed. */
async function run(program: string, ...args: string[]): Promise<string> {
  const done = await execa(join(folder, "venv/bin", program), args, {
    ...{ cwd: examples, env, all: true, timeout: withinMs },
  });
  return done.all;
}

beforeAll(async () => {
  folder = open.use(await mkdtempDisposable(join(tmpdir(), "microremed-python-"))).path;
  await execa("python3", ["-m", "venv", join(folder, "venv")], { timeout: withinMs });
  const requirements = join(examples, "requirements.txt");
  await run("pip", "install", "--quiet", "--requirement", requirements, clients);
  const { faults } = await builtInCatalogue();
  const models = open.use(await startReferenceModels({ faults: faults.all() }));
  range = open.use(await upRange(folder, "--range", "in-process", "--arenas", "3"));
  env = {
    ...{ OPENAI_BASE_URL: models.url, OPENAI_API_KEY: "none", OPENAI_MODEL: "reference/runbook" },
    ...{
      MICROREMED_URL: range.url,
      MICROREMED_TOKEN: range.researcher,
      INSPECT_LOG_DIR: join(folder, "logs"),
    },
    ...{ JUPYTER_PLATFORM_DIRS: "1", PYTHONDONTWRITEBYTECODE: "1" },
  };
});
afterAll(() => open.disposeAsync());

test.each(["openai_loop.py", "langgraph_agent.py"])(
  "%s scores easy@1, three problems at once",
  async (file) => {
    const said = await run("python", file, "easy@1");
    expect(said.match(/ remediated /g)).toHaveLength(23);
    expect(said).toContain("'problems': 23, 'passed': 23");
  },
);

test("no_model.py scores easy@1, and shows what the range measured", async () => {
  const said = await run("python", "no_model.py");
  expect(said).toContain("'problems': 23, 'passed': 23");
  expect(said).toMatch(/^the range: cpu-stress was recovered in \S+ s of the cluster$/m);
});

test("inspect_task.py evaluates problems of a suite", async () => {
  const task = ["-T", "suite=range@3", "-T", "task_name=mitigation", "-T", "environment=simple-micro"];
  const model = ["--model", "openai/reference/runbook", "-M", "responses_api=false"];
  const said = await run(
    "inspect",
    "eval",
    "inspect_task.py",
    ...model,
    ...task,
    // More than the threads that asyncio has on a machine of a few cores, and than the arenas.
    "--limit",
    "12",
    "--display",
    "plain",
  );
  expect(said).toMatch(/Samples: +12\/ +12 /);
  expect(said).toMatch(/^accuracy +[01]\.\d+/m);
});

test("the notebook runs from top to bottom", async () => {
  const script = [
    "import nbformat, nbclient, sys",
    "notebook = nbformat.read('first_score.ipynb', 4)",
    "nbclient.NotebookClient(notebook, timeout=500, kernel_name='python3').execute()",
    "print(notebook.cells[-1].outputs[0].text)",
  ].join("\n");
  expect(await run("python", "-c", script)).toContain("completed");
});
