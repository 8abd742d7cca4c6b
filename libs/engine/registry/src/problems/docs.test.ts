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

const suite = (rest: string): string => `name: shown@1\ndescription: a block of the page\n${rest}`;
const withTasks = "defaults: { tasks: [detection, mitigation] }\n";
const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, "    ");

/** A block as the suite that its reader would make of it. */
function suiteOf(block: string): string {
  const value = parseYaml(block) as Record<string, unknown>;
  if ("name" in value) return block;
  if ("rules" in value || "pools" in value) return suite(withTasks + block);
  const rest = [
    ...("environment" in value ? [] : ["environment: online-boutique"]),
    ...("incident" in value ? [] : ["incident: []"]),
  ];
  const more = rest.map((line) => `    ${line}\n`).join("");
  return suite(`${withTasks}problems:\n  - id: shown\n${more}${indented(block)}`);
}

const isRequest = (block: string): boolean => "method" in (parseYaml(block) as object);
const ofSuites = blocksOf("yaml").filter((block) => !isRequest(block));

test.each(ofSuites.map((block) => [block.split("\n", 1).join(), block]))(
  "the block that begins with %j loads as a suite",
  async (_, block) => {
    const text = suiteOf(block);
    const [, name = ""] = /^name: (\S+)/m.exec(text) ?? [];
    const dir = await aDirectory({ [`suites/${name}/suite.yaml`]: text });
    const { problems } = await loadCatalogue({ dirs: [examples, dir] });
    expect(problems.of(name).length).toBeGreaterThan(0);
    expect(problems.of(name).flatMap(({ missing }) => missing)).toEqual([]);
  },
);

test("the problem in TypeScript loads in a file of its own", async () => {
  const [block = ""] = blocksOf("ts");
  const [, id = ""] = /id: "([^"]+)"/.exec(block) ?? [];
  const dir = await aDirectory({
    "suites/shown@1/suite.yaml": suite(withTasks),
    [`suites/shown@1/problems/${id}.ts`]: block,
  });
  const { problems } = await loadCatalogue({ dirs: [examples, dir] });
  expect(problems.of("shown@1").map((one) => one.id)).toEqual([`shown@1/${id}`]);
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
