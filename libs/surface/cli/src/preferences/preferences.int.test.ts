import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";

const microremed = join(import.meta.dirname, "../../bin/microremed.mjs");

test("from runs of two models to pairs, ratings, their agreement, and files for trainers", {
  timeout: 300_000,
}, async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "preferences-"));
  const call = (args: readonly string[], input = "") =>
    execa(process.execPath, [microremed, ...args], { cwd: directory.path, input, reject: false });
  const lines = async (name: string) =>
    (await readFile(join(directory.path, name), "utf8"))
      .trimEnd()
      .split("\n")
      .map((one) => JSON.parse(one));

  const models = ["reference/runbook", "reference/noop"].flatMap((model) => ["--model", model]);
  const cases = ["--env", "simple-micro", "--failure", "pod-config-error", "--experiments", "2"];
  const ended = [
    "--method",
    "SoloGen",
    "--max-attempts",
    "1",
    "--range",
    "in-process",
    "--save-path",
    "runs",
  ];
  expect((await call(["run", ...cases, ...models, ...ended])).exitCode).toBe(0);

  expect(await call(["preferences", "pair", "runs", "--out", "pairs"])).toMatchObject({
    ...{ exitCode: 0, stderr: "2 pairs in pairs" },
  });
  expect((await call(["preferences", "pair", "runs", "--out", "pairs"])).exitCode).toBe(2);
  const pairs = await lines("pairs/pairs.jsonl");
  expect(pairs.map(({ left, right }) => [left.model, right.model].toSorted())).toEqual(
    Array.from({ length: 2 }, () => ["reference/noop", "reference/runbook"]),
  );

  // The first by its number with a reason, after a slip; the input ends before the second.
  const better = pairs[0].left.model === "reference/runbook" ? "1" : "2";
  const first = await call(["preferences", "rate", "pairs", "--rater", "ada"], `9\n${better}\nit repaired\n`);
  expect(first.stderr).toContain('"9" is no answer');
  expect(first.stderr).toContain("1 pair rated\n1 pair of 2 left for ada");
  expect(first.stderr).not.toContain("reference/");
  expect(await lines("pairs/ratings.jsonl")).toMatchObject([
    { pair: pairs[0].id, rater: "ada", choice: better === "1" ? "left" : "right", reason: "it repaired" },
  ]);
  expect((await call(["preferences", "rate", "pairs", "--rater", "ada"], "t\n\n")).stderr).toContain(
    "pair 1 of 1",
  );
  expect((await call(["preferences", "rate", "pairs", "--rater", "a b"])).exitCode).toBe(2);

  const agreement = await call(["preferences", "agreement", "pairs", "--output", "json"]);
  expect(JSON.parse(agreement.stdout)).toMatchObject({
    ...{ pairs: 2, rated: 2, raters: [{ rater: "ada", rated: 2, ties: 1 }] },
    automaticDecided: [{ raters: ["ada", "automatic order"], of: 1, agreement: 1 }],
  });

  const write = (format: string, by: string) =>
    call([
      "preferences",
      "export",
      "pairs",
      "--format",
      format,
      "--by",
      by,
      "--out",
      `${format}-${by}.jsonl`,
    ]);
  expect((await write("dpo", "people")).stderr).toBe("1 line in dpo-people.jsonl, from 1 of 2 pairs");
  const [row] = await lines("dpo-people.jsonl");
  expect(row.metadata.chosen.model).toBe("reference/runbook");
  expect(row.chosen[0].tool_calls[0].function.name).toBe("print_playbook");
  expect((await write("kto", "automatic")).stderr).toBe("4 lines in kto-automatic.jsonl, from 2 of 2 pairs");

  await writeFile(join(directory.path, "pairs/ratings.jsonl"), "no json\n");
  expect(await write("dpo", "people")).toMatchObject({ exitCode: 2 });
  expect((await call(["preferences", "agreement", "pairs"])).stderr).toContain("ratings.jsonl, line 1: ");
});
