import { type Fault, targetText } from "@microremed/catalogue";
import {
  type EpisodeRecord,
  ExperimentRequest,
  type ExperimentRequestInput,
  environmentOf,
  plannedRecord,
  sessionModel,
  taskOf,
} from "@microremed/contracts";
import { createRng, oneOf, terminal } from "@microremed/core";
import type { EpisodePlan } from "@microremed/episode";
import {
  isSequence,
  planRequest,
  requestParameterIssues,
  sequenceNames,
  unknownSequence,
} from "@microremed/planner";
import type { Catalogue } from "@microremed/registry";
import { createCatalog } from "@microremed/service-scheduler";
import { CaseRequest } from "./case-request.ts";
import { wrongFields } from "./wrong-fields.ts";

/** What cases are planned with. */
export interface PlanOptions {
  readonly catalogue: Catalogue;
  /** Where a fault or a suite of faults is injected when the request names no environment. */
  readonly environment: string;
  /** Of a request that names no case. */
  readonly suite: string;
  /** Cluster time after a recovery before everything is checked again, s. */
  readonly soakSeconds: number;
  /** Wall clock of a playbook, s. Undefined: as in a range. */
  readonly playbookSeconds: number | undefined;
  /** Courses of each case: a seed has that of its remainder. */
  readonly variants: number;
}

/** An episode that has not begun: its record, the rules of its task, and the system. */
export interface PlannedCase {
  readonly record: EpisodeRecord;
  readonly plan: EpisodePlan;
  readonly environment: string;
  readonly acting: CaseRequest["acting"];
}

const experimentId = "gym";

/**
 * The case of a request, planned as an experiment of one episode of the method Session. Throws what the planner throws:
 * `invalid-request`, `unknown-entry` and the like, each with what exists.
 */
export function planCase(request: CaseRequest, options: PlanOptions): PlannedCase {
  const { catalogue } = options;
  const catalog = createCatalog(catalogue, { names: [] }, []);
  const parsed = parsedRequest(request, options);
  const issues = requestParameterIssues(parsed, { catalogue });
  if (issues.length > 0) {
    const words = issues.map(({ path, message }) => `${path}: ${message}`).join("; ");
    throw terminal("invalid-request", words, { issues });
  }
  const plan = planRequest(parsed, { catalogue });
  const rng = createRng(request.seed, "case");
  const index = request.case ?? rng.int(plan.total);
  const [planned] = plan.episodes(index, index + 1);
  if (!planned)
    throw terminal(
      "invalid-request",
      `there is no case ${index}: ${request.suite} has ${plan.total}, from 0`,
    );
  const record = plannedRecord(experimentId, planned);
  const task = taskOf(record);
  const maxAttempts = record.problem?.limits?.maxAttempts ?? parsed.maxAttempts;
  return {
    record,
    acting: request.acting,
    environment: environmentOf(record, parsed),
    plan: {
      request: parsed,
      drawsKey: "",
      submittedAt: 0,
      maxAttempts: catalog.maxAttempts(record.method, maxAttempts),
      task: catalog.task(task),
    },
  };
}

function parsedRequest(request: CaseRequest, options: PlanOptions): ExperimentRequest {
  const { data, error } = ExperimentRequest.safeParse(experimentOf(request, options));
  if (data) return data;
  throw wrongFields("case", error.issues);
}

/** How many cases a suite has. Throws what the planner throws. */
export function countCases(suite: string, options: PlanOptions): number {
  const request = parsedRequest(CaseRequest.parse({ suite }), options);
  return planRequest(request, { catalogue: options.catalogue }).total;
}

function experimentOf(request: CaseRequest, options: PlanOptions): ExperimentRequestInput {
  const { seed, task, concealment, persistence, report, feedback, max_attempts, max_probes } = request;
  return {
    id: experimentId,
    method: "Session",
    model: sessionModel("gym"),
    seed: seed % options.variants,
    ...casesOf(request, options),
    ...(task !== undefined && { task }),
    ...(concealment && { concealment }),
    ...(persistence && { persistence }),
    soakSeconds: options.soakSeconds,
    ...(options.playbookSeconds !== undefined && { timeouts: { playbookSeconds: options.playbookSeconds } }),
    ...(report && { report }),
    ...(feedback && { feedback }),
    maxAttempts: max_attempts,
    maxProbes: max_probes,
  };
}

function casesOf(
  { suite, problem, fault, ...request }: CaseRequest,
  { catalogue, ...usual }: PlanOptions,
): Partial<ExperimentRequestInput> {
  const { environment = usual.environment } = request;
  if (problem !== undefined) return { problems: [problem] };
  if (fault !== undefined)
    return { environment, ...faultOf(catalogue.faults.get(fault), environment, request, catalogue) };
  const named = suite ?? usual.suite;
  if (catalogue.problems.suites.includes(named)) return { problems: named };
  if (isSequence(named, catalogue)) return { environment, failures: named };
  throw terminal(
    "unknown-failure",
    unknownSequence(named, [...catalogue.problems.suites, ...sequenceNames(catalogue)]),
  );
}

function faultOf(
  fault: Fault,
  environment: string,
  {
    seed,
    target,
    strength: wanted,
    parameters,
  }: Pick<CaseRequest, "seed" | "target" | "strength" | "parameters">,
  { environments }: Pick<Catalogue, "environments">,
): Partial<ExperimentRequestInput> {
  const system = environments.get(environment);
  const { name, strengths = [] } = fault;
  const strength = strengths.find((one) => one.name === wanted);
  if (wanted !== undefined && !strength) {
    const names = strengths.map((one) => one.name);
    const known = names.length === 0 ? "it has none: leave `strength` out" : `it has ${oneOf(names)}`;
    throw terminal("invalid-request", `${name} has no strength ${JSON.stringify(wanted)}; ${known}`);
  }
  const possible = fault
    .targets(system)
    .map(targetText)
    .filter((one) => strength?.applies?.({ environment: system, target: one }) ?? true);
  if (possible.length === 0)
    throw terminal(
      "invalid-request",
      `${name} has no target in ${environment}${wanted ? ` at the strength ${wanted}` : ""}`,
    );
  const drawn = target ?? createRng(seed, "target").pick(possible);
  return {
    failures: [name],
    target: drawn,
    ...(strength && { parameters: { [name]: { ...strength.parameters } as never } }),
    ...(parameters && { parameters: { [name]: parameters as never } }),
  };
}
