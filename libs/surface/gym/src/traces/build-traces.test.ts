import { mkdtempDisposable, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInCatalogue } from "@microremed/registry";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { type BuildOptions, buildTraces } from "./build-traces.ts";
import { leaksOf } from "./leaks.ts";
import { planTraces } from "./plan-traces.ts";
import type { CaseTraces, Trace, TraceCase, TraceRecipe } from "./trace.types.ts";

const catalogue = await builtInCatalogue();
const recipe: TraceRecipe = {
  ...{ suite: "hard@1", environments: ["simple-micro", "online-boutique", "hotel-reservation"] },
  ...{ seed: 2, perCase: 3, soakSeconds: 0, acting: "both" },
  ...{ tasks: ["mitigation"], controls: 0 },
};

/** One that is made of a case's number; the last one of each case says the same as that of the case before. */
function made({ index, part, incident, request }: TraceCase): CaseTraces {
  const { report = "oracle", concealment = "none", acting } = request;
  const say = (words: string) => [
    { role: "user" as const, content: "Failure report" },
    {
      role: "assistant" as const,
      content: words,
      toolCalls: [{ id: "c1", name: "exec_shell", arguments: '{"command":"kubectl get pods"}' }],
    },
    { role: "tool" as const, toolCallId: "c1", content: "exit code 0" },
  ];
  const course = { dropped: 1, slips: 0, guesses: 0, repairs: 1, found: true, misled: false };
  const parts: Trace["parts"] = {
    ...{ recovered: 1 as const, clean: 1 as const, disruption: null, steps: 0.1, parseable: 1 },
    ...{ refused: 0 as const, graded: null },
  };
  const trace = (number: number, words: string) => ({
    ...{ id: `${index}-${number}`, conversation: say(words), course, reward: 0.9, parts, steps: 2 },
  });
  return {
    index,
    labels: {
      part,
      ...incident,
      strength: null,
      report,
      concealment,
      acting,
      task: request.task ?? "mitigation",
    },
    tools: [{ name: "exec_shell", description: "a shell", parameters: { type: "object" } }],
    traces: [trace(0, `first of case ${index} of these`), trace(1, "they all say exactly this here")],
    refused: { "not clean": 1 },
  };
}

const options = (directory: string, given: Partial<BuildOptions> = {}): BuildOptions => ({
  ...{ count: 40, directory, catalogue, workers: 3, signal: new AbortController().signal },
  ...{ make: async (planned) => made(planned), progress: () => {} },
  ...given,
});

async function filesOf(directory: string): Promise<Record<string, string>> {
  const names = (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));
  const all = names.map(async (name) => [
    name.slice(directory.length),
    (await readFile(name)).toString("base64"),
  ]);
  return Object.fromEntries(await Promise.all(all));
}

interface Message {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly { readonly function: { readonly name: string } }[];
  readonly tool_call_id?: string;
}
/** A line of either format. */
interface Line {
  readonly messages: readonly Message[];
  readonly conversations: readonly { readonly from: string }[];
  readonly tools: readonly object[];
  readonly metadata: { readonly id: string; readonly part: string };
}

const jsonLines = async (path: string): Promise<Line[]> =>
  (await readFile(path, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("parts share neither mechanisms nor systems, and no expert suspects what is held out", () => {
  const { disjoint, caseAt } = planTraces(recipe, catalogue);
  expect(disjoint).toEqual(["mechanism", "environment"]);
  const cases = Array.from({ length: 300 }, (_, index) => caseAt(index));
  const labels = cases.map((one) => made(one).labels);
  expect(leaksOf(labels, disjoint)).toEqual([]);
  const mechanismOf = new Map(cases.map(({ incident }) => [incident.fault, incident.mechanism]));
  const partOf = new Map(labels.map(({ mechanism, part }) => [mechanism, part]));
  for (const { part, others } of cases)
    for (const other of others) {
      const mechanism = mechanismOf.get(other);
      if (mechanism !== undefined) expect(partOf.get(mechanism)).toBe(part);
    }
  const of = (name: "strength" | "report" | "concealment" | "acting" | "target") =>
    new Set(cases.map(({ request }) => request[name])).size;
  expect([of("report"), of("concealment"), of("acting")]).toEqual([3, 2, 2]);
  expect(of("strength")).toBeGreaterThan(3);
  expect(of("target")).toBeGreaterThan(10);
});

test("questions and controls are drawn, without a playbook, a restart or a report that gives them away", () => {
  const tasks = ["mitigation", "detection", "localization", "analysis"];
  const asked = { ...recipe, suite: "range@3", tasks, controls: 25 };
  const { disjoint, caseAt } = planTraces(asked, catalogue);
  const cases = Array.from({ length: 300 }, (_, index) => caseAt(index));
  expect(
    leaksOf(
      cases.map((one) => made(one).labels),
      disjoint,
    ),
  ).toEqual([]);
  const isControl = ({ incident }: TraceCase): boolean =>
    catalogue.faults.get(incident.fault).control === true;
  const taskOf = ({ request }: TraceCase): string => request.task ?? "mitigation";
  const controls = cases.filter(isControl);
  expect(controls.length).toBeGreaterThan(40);
  expect(controls.length).toBeLessThan(110);
  expect(new Set(cases.map(taskOf))).toEqual(new Set(tasks));
  for (const one of cases.filter((each) => isControl(each) || taskOf(each) !== "mitigation"))
    expect(one.request).toMatchObject({ acting: "commands", max_attempts: 1 });
  for (const { request, others } of controls) {
    expect(request.report).not.toBe("oracle");
    expect([request.strength, request.parameters]).toEqual([undefined, undefined]);
    expect(others.length).toBeGreaterThan(1);
  }
  // What a problem of the suite sets is injected, and no strength beside it.
  const set = cases.filter(({ request }) => request.parameters !== undefined);
  expect(set.length).toBeGreaterThan(0);
  for (const { request } of set) expect(request.strength).toBeUndefined();
  for (const tasks of [[], ["cycle"], ["detection", "repair"]])
    expect(() => planTraces({ ...asked, tasks }, catalogue)).toThrow(
      /"analysis", "detection", "localization" or "mitigation"/,
    );
});

test("a mechanism or a system in two parts is a leak", () => {
  const { caseAt } = planTraces(recipe, catalogue);
  const one = made(caseAt(0)).labels;
  const both = [one, { ...one, part: "test" as const }];
  expect(leaksOf(both, ["mechanism", "environment"])).toEqual([
    `the mechanism ${one.mechanism} is in train and test`,
    `the environment ${one.environment} is in train and test`,
  ]);
  expect(leaksOf([one], ["mechanism", "environment", "target"])).toEqual([]);
});

test("every format has the same traces, without near-duplicates, and the card says what was left out", async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "microremed-traces-"));
  const tally = await buildTraces(recipe, options(directory.path));
  expect(tally).toMatchObject({ kept: 40, refused: { "not clean": tally.cases } });
  expect(tally.nearDuplicates).toBeGreaterThan(30);
  const ids: string[] = [];
  for (const part of ["train", "validation", "test"]) {
    const chat = await jsonLines(join(directory.path, "openai-chat", `${part}.jsonl`));
    const share = await jsonLines(join(directory.path, "sharegpt", `${part}.jsonl`));
    const file = await asyncBufferFromFile(join(directory.path, "parquet", `${part}.parquet`));
    const rows = await parquetReadObjects({ file });
    expect(chat.every(({ metadata }) => metadata.part === part)).toBe(true);
    expect(share.map(({ metadata }) => metadata)).toEqual(chat.map(({ metadata }) => metadata));
    expect(rows.map(({ id }) => id)).toEqual(chat.map(({ metadata }) => metadata.id));
    const [first] = chat;
    expect(first?.messages[1]?.tool_calls?.[0]?.function.name).toBe("exec_shell");
    expect(first?.tools[0]).toMatchObject({ type: "function", function: { name: "exec_shell" } });
    expect(share[0]?.conversations.map(({ from }) => from)).toEqual(
      "human gpt function_call observation".split(" "),
    );
    const messages = rows[0]?.["messages"] as Line["messages"];
    const said = ({ role, content }: Message) => [role, content];
    expect(messages.map(said)).toEqual(first?.messages.map(said));
    expect(messages[1]?.tool_calls).toEqual(first?.messages[1]?.tool_calls);
    expect(messages[2]?.tool_call_id).toBe("c1");
    ids.push(...chat.map(({ metadata }) => metadata.id));
  }
  expect(new Set(ids).size).toBe(40);
  const card = await readFile(join(directory.path, "README.md"), "utf8");
  expect(card).toContain("40 investigations");
  expect(card).toContain(`${tally.cases} not clean`);
});

test("an interrupted set is continued, a larger one begins with a smaller one, and neither depends on workers", async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "microremed-traces-"));
  const at = (name: string): string => join(directory.path, name);
  let calls = 0;
  const make = async (planned: TraceCase): Promise<CaseTraces> => {
    if (++calls > 10) throw new Error("the power is off");
    return made(planned);
  };
  await expect(buildTraces(recipe, options(at("a"), { make }))).rejects.toThrow("the power is off");
  calls = -1000;
  await buildTraces(recipe, options(at("a"), { make }));
  // What was finished was not made again.
  expect(calls).toBeLessThan(-1000 + 40);
  await buildTraces(recipe, options(at("b"), { workers: 1 }));
  const withoutCases = async (name: string) => {
    await rm(join(at(name), ".cases"), { recursive: true });
    return filesOf(at(name));
  };
  const small = (await jsonLines(join(at("b"), "openai-chat", "train.jsonl"))).map((one) => one.metadata.id);
  await buildTraces(recipe, options(at("c"), { count: 60 }));
  const large = (await jsonLines(join(at("c"), "openai-chat", "train.jsonl"))).map((one) => one.metadata.id);
  expect(large.slice(0, small.length)).toEqual(small);
  expect(await withoutCases("a")).toEqual(await withoutCases("b"));
});

test("a folder of something else, a suite without experts and too few examples are refused with what to do", async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "microremed-traces-"));
  await buildTraces(recipe, options(join(directory.path, "a"), { count: 3 }));
  const others = { ...recipe, seed: 9 };
  await expect(buildTraces(others, options(join(directory.path, "a")))).rejects.toThrow(/other options/);
  await expect(buildTraces(recipe, options(directory.path))).rejects.toThrow(/is not empty/);
  await expect(
    buildTraces({ ...recipe, suite: "none" }, options(join(directory.path, "b"))),
  ).rejects.toThrow();
  const nothing = async (planned: TraceCase) => ({ ...made(planned), traces: [] });
  await expect(
    buildTraces(recipe, options(join(directory.path, "c"), { make: nothing, count: 3 })),
  ).rejects.toThrow(/cases gave 0 of 3 traces .*not clean.*; ask for fewer/s);
});
