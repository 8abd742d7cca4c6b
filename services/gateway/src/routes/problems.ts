import {
  HeldOut,
  IncidentFault,
  Information,
  type Problem,
  ProblemNoise,
  type Suite,
} from "@microremed/catalogue";
import { LoadPattern, ProblemLimits, Watch } from "@microremed/contracts";
import { type AppError, terminal } from "@microremed/core";
import { givenTasks, solutionOf } from "@microremed/solving";
import { z } from "zod";
import type { App } from "../http/app.types.ts";
import { type RangeDeps, researchers } from "./range-deps.ts";

const tags = ["problems"];
const settings = { config: { access: researchers } };

/** A problem with all that is known of it. */
const ShownProblem = z
  .strictObject({
    id: z.string().describe("<suite>@<version>/<problem>"),
    suite: z.string(),
    title: z.string(),
    environment: z.string(),
    incident: z.array(IncidentFault).describe("empty: nothing is wrong"),
    tasks: z.array(z.string()),
    information: Information,
    limits: ProblemLimits,
    watch: Watch.optional(),
    noise: z.array(ProblemNoise),
    workload: LoadPattern.optional(),
    heldOut: z.array(HeldOut),
    note: z.string().nullable(),
    missing: z.array(z.string()).describe("what it lacks here; empty: it can be run"),
  })
  .meta({ id: "Problem" });

const ListedSuite = z.strictObject({
  name: z.string(),
  kind: z
    .enum(["problems", "faults"])
    .describe("faults: each of its cases is a problem on the `environment` that is chosen with it"),
  problems: z.int(),
  runnable: z.int().describe("problems that can be run here"),
  environments: z.array(z.string()),
  tasks: z.array(z.string()),
});

const Given = z.strictObject({
  id: z.string(),
  tasks: z.array(
    z.strictObject({
      task: z.string(),
      given: z.string().describe("what agents are given, word by word"),
      answer: z
        .record(z.string(), z.unknown())
        .nullable()
        .describe("JSON schema of the answer; null: what counts is the system"),
    }),
  ),
  solution: z
    .array(z.unknown())
    .nullable()
    .optional()
    .describe("what is wrong, fault by fault; null: it is not known here; absent: not asked for"),
});

const name = z.string().min(1).max(100);
const problem = z.strictObject({ suite: name, problem: name });

/** Suites and their problems. Who may ask for these may see solutions. */
export function addProblems(app: App, { catalogue }: Pick<RangeDeps, "catalogue">): void {
  const { problems, suites } = catalogue;
  const ofFaults = () => suites.all().filter(({ cases }) => cases.length > 0);
  app.route({
    ...settings,
    method: "GET",
    url: "/suites",
    schema: {
      ...{ tags, summary: "List the suites that experiments and sessions take" },
      response: { 200: z.strictObject({ suites: z.array(ListedSuite) }) },
    },
    handler: async () => ({
      suites: [
        ...problems.suites.map((suite) => listed(suite, problems.of(suite))),
        ...ofFaults().map((suite) => listedFaults(suite, catalogue)),
      ],
    }),
  });

  app.route({
    ...settings,
    method: "GET",
    url: "/suites/:suite/problems",
    schema: {
      ...{ tags, summary: "List the problems of a suite" },
      params: z.strictObject({ suite: name }),
      response: { 200: z.strictObject({ problems: z.array(ShownProblem) }) },
    },
    handler: async ({ params: { suite } }) => {
      if (ofFaults().some((one) => one.name === suite)) throw withoutProblems(suite);
      return { problems: problems.of(suite).map(shown) };
    },
  });

  app.route({
    ...settings,
    method: "GET",
    url: "/suites/:suite/problems/:problem",
    schema: {
      ...{ tags, summary: "Show a problem" },
      params: problem,
      response: { 200: ShownProblem },
    },
    handler: async ({ params }) => shown(problems.get(`${params.suite}/${params.problem}`)),
  });

  app.route({
    ...settings,
    method: "GET",
    url: "/suites/:suite/problems/:problem/description",
    schema: {
      ...{ tags, summary: "What agents are given of a problem" },
      params: problem,
      querystring: z.strictObject({
        solution: z.stringbool().default(false),
        seed: z.coerce
          .number()
          .int()
          .min(0)
          .max(2 ** 31 - 1)
          .default(1)
          .describe("of the experiment: the values that faults set follow from it"),
      }),
      response: { 200: Given },
    },
    handler: async ({ params, query }) => {
      const found = problems.get(`${params.suite}/${params.problem}`);
      return {
        id: found.id,
        tasks: givenTasks(found, catalogue),
        ...(query.solution && { solution: solutionOf(found, query.seed, catalogue) ?? null }),
      };
    },
  });
}

function withoutProblems(suite: string): AppError {
  const message = `${suite} is a suite of faults, which has no problems of its own: an experiment or a session runs them on the environment that it names; /v1/catalogue/suites describes it`;
  return terminal("unknown-problem", message);
}

function listedFaults(
  { name, cases }: Pick<Suite, "name" | "cases">,
  { environments, tasks }: Pick<RangeDeps["catalogue"], "environments" | "tasks">,
): z.output<typeof ListedSuite> {
  return {
    ...{ name, kind: "faults", problems: cases.length, runnable: cases.length },
    ...{ environments: [...environments.names], tasks: [...tasks.names] },
  };
}

function listed(suite: string, all: readonly Problem[]): z.output<typeof ListedSuite> {
  return {
    name: suite,
    kind: "problems",
    problems: all.length,
    runnable: all.filter(({ missing }) => missing.length === 0).length,
    environments: [...new Set(all.map(({ environment }) => environment))].toSorted(),
    tasks: [...new Set(all.flatMap(({ tasks }) => tasks))].toSorted(),
  };
}

/** Without the fields that are undefined. */
const shown = (one: Problem): z.output<typeof ShownProblem> =>
  structuredClone(one) as z.output<typeof ShownProblem>;
