import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ProblemDefaults, ProblemPool, ProblemRule } from "@microremed/catalogue";
import { ExperimentRequest } from "@microremed/contracts";
import { expect, test } from "vitest";
import { loadCatalogue } from "../load-catalogue.ts";
import { parseYaml } from "../parse-yaml.ts";
import { aDirectory } from "../testing/a-directory.ts";

const docs = join(import.meta.dirname, "../../../../../docs");
const examples = join(docs, "examples/catalogue");
const page = await readFile(join(docs, "problems.md"), "utf8");

/** The blocks of a page in one language. */
const blocksOf = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    ([, text = ""]) => text,
  );

const suite = (name: string, rest: string): string =>
  `name: ${name}\ndescription: a block of the page\n${rest}`;
const withTasks = "defaults: { tasks: [detection, mitigation] }\n";
const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, "    ");

/** A block as the suite that its reader would make of it, of this name unless it has one. */
function suiteOf(block: string, name: string): string {
  const value = parseYaml(block) as Record<string, unknown>;
  if ("name" in value) return block;
  if ("rules" in value || "pools" in value) return suite(name, withTasks + block);
  const rest = [
    ...("environment" in value ? [] : ["environment: online-boutique"]),
    ...("incident" in value ? [] : ["incident: []"]),
  ];
  const more = rest.map((line) => `    ${line}\n`).join("");
  return suite(name, `${withTasks}problems:\n  - id: shown\n${more}${indented(block)}`);
}

const isRequest = (block: string): boolean => "method" in (parseYaml(block) as object);
const ofSuites = blocksOf("yaml").filter((block) => !isRequest(block));

const shown = ofSuites.map((block, i) => {
  const text = suiteOf(block, `shown-${i}@1`);
  const [, name = ""] = /^name: (\S+)/m.exec(text) ?? [];
  return { begins: block.split("\n", 1).join(), name, text };
});
const [program = ""] = blocksOf("ts");
const [, id = ""] = /id: "([^"]+)"/.exec(program) ?? [];
/** One catalogue for all: reading it takes far longer than a suite of it. */
async function load() {
  const directory = await aDirectory({
    ...Object.fromEntries(shown.map(({ name, text }) => [`suites/${name}/suite.yaml`, text])),
    "suites/program@1/suite.yaml": suite("program@1", withTasks),
    [`suites/program@1/problems/${id}.ts`]: program,
  });
  return await loadCatalogue({ dirs: [examples, directory] });
}
let loading: ReturnType<typeof load> | undefined;
const problemsOf = async (name: string) => {
  loading ??= load();
  return (await loading).problems.of(name);
};

test.each(shown)('the block that begins with "$begins" loads as a suite', async ({ name }) => {
  const problems = await problemsOf(name);
  expect(problems.length).toBeGreaterThan(0);
  expect(problems.flatMap(({ missing }) => missing)).toEqual([]);
});

test("the problem in TypeScript loads in a file of its own", async () => {
  expect((await problemsOf("program@1")).map((one) => one.id)).toEqual([`program@1/${id}`]);
});

test("requests are such as a range takes", () => {
  const requests = blocksOf("yaml").filter(isRequest);
  expect(requests.length).toBeGreaterThan(0);
  for (const block of requests) expect(() => ExperimentRequest.parse(parseYaml(block))).not.toThrow();
});

test("every key that defaults, rules and pools may have is on the page", () => {
  const keys = [ProblemDefaults, ProblemPool, ProblemRule].flatMap(({ shape }) => Object.keys(shape));
  expect(keys.filter((key) => !page.includes(`\`${key}\``) && !page.includes(`${key}:`))).toEqual([]);
});
