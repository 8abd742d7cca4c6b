import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { aGradeContext } from "@microremed/catalogue/testing";
import { errorCodes } from "@microremed/contracts";
import { builtInCatalogue } from "@microremed/registry";
import { describe, expect, test } from "vitest";
import { embeddedClusterPage } from "./agreement.ts";
import { cliReference } from "./cli-reference.ts";
import { configurationReference } from "./configuration-reference.ts";
import { errorReference } from "./error-reference.ts";
import { plainToMarkdown } from "./plain-to-markdown.ts";
import { taskExamples, tasksReference } from "./tasks-reference.ts";
import { toolsReference } from "./tools-reference.ts";

test.each([
  ["cli", cliReference],
  ["configuration", configurationReference],
  ["errors", errorReference],
  ["tasks", tasksReference],
  ["tools", toolsReference],
])("docs/reference/%s.md is what the code says (else: npm run docs:generate)", async (name, reference) => {
  expect(await readFile(`docs/reference/${name}.md`, "utf8")).toBe(await reference());
});

test("every example of an answer is accepted by its task, and is right in every part", async () => {
  const examples = await taskExamples();
  const { tasks } = await builtInCatalogue();
  const asked = tasks.all().filter(({ answer, parts }) => answer !== null && !parts);
  expect(examples.map(({ task }) => task.name)).toEqual(
    expect.arrayContaining(asked.map(({ name }) => name)),
  );
  for (const { task, incident, answer } of examples) {
    const { environment, truths } = incident;
    const submitted: unknown = JSON.parse(JSON.stringify(answer));
    const context = { ...aGradeContext(truths, submitted), environment, namespace: environment.namespace };
    expect(await task.grade(context), task.name).toMatchObject({ passed: true, score: 1 });
  }
});

test("docs/embedded-cluster.md has the last results on real clusters (else: npm run docs:generate)", async () => {
  const { path, text } = embeddedClusterPage();
  expect(await readFile(path, "utf8")).toBe(text);
});

test("placeholders, patterns, options and variables of plain text become code, once", () => {
  expect(
    plainToMarkdown("see <a>.<b c>/<d>, `<c>` and --d for E_F; names with * or gpt-*, not a-b, at tls://h:1"),
  ).toBe(
    "see `<a>.<b c>/<d>`, `<c>` and `--d` for `E_F`; names with `*` or `gpt-*`, not a-b, at `tls://h:1`",
  );
});

describe("error codes", () => {
  /** Where the code makes an AppError with a code that is a literal: file, code, severity. */
  const made = sources().flatMap((file) =>
    [
      ...readFileSync(file, "utf8").matchAll(/\b(terminal|retryable|new AppError)\(\s*"([a-z-]+)"([^;]*)/g),
    ].map(([, how, code = "", rest = ""]) => {
      const severity = how === "new AppError" ? (/severity: "(\w+)"/.exec(rest)?.[1] ?? "terminal") : how;
      return { file, code, severity: severity ?? "" };
    }),
  );

  test("every code that is used is listed, with the severity that it is used with", () => {
    expect(made.length).toBeGreaterThan(100);
    const listed: Readonly<Record<string, { readonly severity: string }>> = errorCodes;
    const wrong = made.filter(
      ({ code, severity }) => ![severity, "either"].includes(listed[code]?.severity ?? ""),
    );
    expect(wrong).toEqual([]);
  });

  test("every code that is listed is used somewhere", () => {
    const texts = sources().filter((file) => !file.endsWith("error-codes.ts"));
    const all = texts.map((file) => readFileSync(file, "utf8")).join("\n");
    expect(Object.keys(errorCodes).filter((code) => !all.includes(`"${code}"`))).toEqual([]);
  });
});

function sources(): string[] {
  const tracked = execFileSync("git", ["ls-files", "libs", "services"], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return tracked.split("\n").filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|\/testing\//.test(file));
}
