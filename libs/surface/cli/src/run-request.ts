import { existsSync } from "node:fs";
import type { ExperimentRequestInput, FailurePlan, ProblemPlan } from "@microremed/contracts";
import { likelyNames, oneOf, parseJson, terminal } from "@microremed/core";
import { isSequence, sequenceNames, unknownSequence } from "@microremed/planner";
import type { Catalogue } from "@microremed/registry";
import { assertRequest, parseSequence, readTextFile } from "./read-request.ts";

/** The options of `microremed run`, as commander hands them over. */
export interface RunOptions {
  readonly env: string;
  readonly model: readonly string[];
  readonly remediateMethod: readonly string[];
  readonly task: readonly string[];
  readonly repeats: number;
  readonly thinkTime: string | number;
  readonly history: number;
  readonly judge?: string;
  readonly report: string;
  readonly feedback: string;
  readonly verdict: string;
  readonly concealment: string;
  readonly persistence: string;
  readonly experiments?: number;
  readonly experimentPath?: string;
  readonly suite?: string;
  /** Of the suite's problems only those on this environment; absent: all. */
  readonly suiteOn?: string;
  readonly problem?: readonly string[];
  readonly failure?: string;
  readonly target?: string;
  readonly namespace?: string;
  readonly policy: string;
  readonly waitInterval: number;
  readonly injectionTimeout: number;
  readonly enableStrictRestart: boolean;
  readonly seed: number;
  readonly agentSeed?: string;
  readonly maxAttempts: number;
  readonly arenas: number;
  readonly budget: readonly string[];
  /** Absent: the request's default. */
  readonly maxProbes?: number;
  readonly timeout: readonly string[];
  readonly watch: readonly string[];
  readonly soak: number;
  readonly parameter: readonly string[];
  readonly playbook?: string;
}

/** The request that `run` submits. A wrong value is reported by the request's own rules. */
export async function runRequest(
  options: RunOptions,
  catalogue: Pick<Catalogue, "faults" | "suites" | "problems">,
): Promise<ExperimentRequestInput> {
  const cases = await chosenCases(options, catalogue);
  const request = {
    model: options.model,
    method: options.remediateMethod,
    ...(options.task.length > 0 && { task: options.task }),
    repeats: options.repeats,
    thinkTime: options.thinkTime,
    historySeconds: options.history,
    ...(options.judge !== undefined && { judge: options.judge }),
    report: options.report,
    feedback: options.feedback,
    verdict: options.verdict,
    concealment: options.concealment,
    persistence: options.persistence,
    ...("problems" in cases ? {} : { environment: options.env }),
    ...cases,
    ...(options.target !== undefined && { target: options.target }),
    ...(options.parameter.length > 0 && { parameters: parametersFrom(options.parameter) }),
    seed: options.seed,
    ...(options.agentSeed !== undefined && { agentSeed: options.agentSeed }),
    ...(options.namespace !== undefined && { namespace: options.namespace }),
    policy: options.policy,
    maxAttempts: options.maxAttempts,
    ...(options.maxProbes !== undefined && { maxProbes: options.maxProbes }),
    budgets: numbersFrom(options.budget),
    ...(options.watch.length > 0 && { watch: numbersFrom(options.watch) }),
    soakSeconds: options.soak,
    ...(options.playbook !== undefined && {
      playbook: await readTextFile(options.playbook, "the playbook"),
    }),
    maxParallel: options.arenas,
    waitInterval: options.waitInterval,
    strictRestart: options.enableStrictRestart,
    timeouts: { injectionSeconds: options.injectionTimeout, ...numbersFrom(options.timeout) },
  };
  return assertRequest(request, "the command line");
}

const usualDraws = 100;

type ChosenCases = ({ failures: FailurePlan } | { problems: ProblemPlan }) & { cases?: number[] };

/** Problems; a level's or failure's name or a file of names, of which the first so many are run; a failure; or so many draws. */
async function chosenCases(
  { experimentPath: path, failure, experiments: count, suite, suiteOn, problem = [] }: RunOptions,
  catalogue: Pick<Catalogue, "faults" | "suites" | "problems">,
): Promise<ChosenCases> {
  const first = count === undefined ? {} : { cases: Array.from({ length: count }, (_, i) => i) };
  if (problem.length > 0) return { problems: [...problem] };
  if (suite !== undefined && isOfFaults(suite, catalogue)) return { failures: suite, ...first };
  if (suite !== undefined) assertSuite(suite, catalogue);
  if (suite !== undefined)
    return { problems: suiteOn === undefined ? suite : problemsOn(suiteOn, suite, catalogue), ...first };
  if (failure !== undefined) return { failures: Array<string>(count ?? 1).fill(failure) };
  if (path === undefined) return { failures: { random: count ?? usualDraws } };
  const failures = await sequenceAt(path, catalogue);
  return { failures, ...first };
}

/** Whether a suite is a list of faults, which run on the environment that is named. */
function isOfFaults(suite: string, { problems, suites }: Pick<Catalogue, "suites" | "problems">): boolean {
  return !problems.suites.includes(suite) && suites.has(suite) && suites.get(suite).cases.length > 0;
}

/** Throws `unknown-problem` that names what suites there are, those of problems and those of faults. */
export function assertSuite(suite: string, from: Pick<Catalogue, "suites" | "problems">): void {
  const { problems, suites } = from;
  if (problems.suites.includes(suite) || isOfFaults(suite, from)) return;
  const ofFaults = suites.all().flatMap(({ name, cases }) => (cases.length > 0 ? [name] : []));
  const known = [...new Set([...problems.suites, ...ofFaults])].toSorted();
  const what = JSON.stringify(suite.slice(0, 200));
  throw terminal("unknown-problem", `--suite: no suite is called ${what}; ${likelyNames(suite, known)}`);
}

/** The problems of a suite on one environment that can be run here. */
function problemsOn(
  environment: string,
  suite: string,
  { problems }: Pick<Catalogue, "problems">,
): ProblemPlan {
  const all = problems.of(suite);
  const on = all.filter((one) => one.environment === environment);
  const found = on.filter(({ missing }) => missing.length === 0);
  if (found.length > 0) return found.map(({ id }) => id);
  const lacks = [...new Set(on.flatMap(({ missing }) => missing))].join(", ");
  const others = oneOf([...new Set(all.map((one) => one.environment))].toSorted());
  throw terminal(
    "invalid-request",
    on.length > 0
      ? `none of the ${on.length} problems of ${suite} on ${environment} can be run here; they lack ${lacks}`
      : `--env: ${suite} has no problem on ${JSON.stringify(environment)}; it has problems on ${others}`,
  );
}

/** What is neither a name nor a file is probably a slip in a name. */
async function sequenceAt(
  path: string,
  catalogue: Pick<Catalogue, "faults" | "suites">,
): Promise<FailurePlan> {
  if (existsSync(path)) return parseSequence(await readTextFile(path, "the experiment file"));
  if (isSequence(path, catalogue)) return path;
  throw terminal(
    "invalid-request",
    `--experiment-path: there is no such file, and ${unknownSequence(path, sequenceNames(catalogue))}`,
  );
}

/** `cpu-stress.workers=2` and the like, the value as JSON or as text; what is wrong with them is said as for budgets. */
function parametersFrom(words: readonly string[]): Record<string, Record<string, unknown>> {
  const all: Record<string, Record<string, unknown>> = {};
  for (const word of words) {
    const [, failure = "", name = "", value = ""] = /^([^.=]+)\.([^=]+)=([\s\S]*)$/.exec(word) ?? [];
    if (failure === "") {
      const how = "write <failure>.<parameter>=<value>, for example cpu-stress.workers=2";
      throw terminal("invalid-request", `--parameter ${JSON.stringify(word.slice(0, 200))}: ${how}`);
    }
    all[failure] = { ...all[failure], [name]: parseJson(value) ?? value };
  }
  return all;
}

/** `tokens=200000` and the like; what is wrong with them is said by the request's own rules. */
function numbersFrom(words: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    words.map((word) => {
      const [name = "", value = ""] = word.split("=", 2);
      return [name, value === "" || Number.isNaN(Number(value)) ? value : Number(value)];
    }),
  );
}
