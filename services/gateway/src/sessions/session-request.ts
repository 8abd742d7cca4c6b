import {
  AgentLabel,
  ExperimentId,
  type ExperimentRequestInput,
  Feedback,
  ProblemId,
  RequestedBudgets,
  Reveal,
  sessionModel,
  TaskName,
  ThinkTime,
} from "@microremed/contracts";
import { z } from "zod";
import type { AskedBudgets } from "./session-budgets.ts";

/** Calls of observing tools in an attempt. */
const mostProbes = 100;
const mostParallel = 16;

const { probeRounds, toolCalls, tokens, seconds } = RequestedBudgets.shape;
const SessionBudgets = z
  .strictObject({ probeRounds, toolCalls, tokens, seconds })
  .describe(
    "of each problem; default: 3600 s, 400 calls. The most that the token may ask for is in `budgets` of GET /v1/token",
  );

/** What an agent asks for when it opens a session: problems of its own choice, or an experiment that names it. */
export const SessionRequest = z
  .strictObject({
    agent: AgentLabel.describe("name in reports, with the version that is tried, e.g. my-agent@1.2"),
    suite: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe("all problems of a suite that can run here, e.g. microremed@1, easy@1"),
    problem: z
      .union([ProblemId, z.array(ProblemId).min(1).max(1000)])
      .optional()
      .describe("problems by their names, e.g. range@1/simple-micro-..."),
    experiment: ExperimentId.optional().describe(
      "an experiment that was submitted with the method Session and the model session/<agent>",
    ),
    environment: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe("for suites of faults, such as easy@1; default: simple-micro"),
    task: z
      .union([TaskName, z.array(TaskName).min(1).max(20)])
      .optional()
      .describe("only these tasks; default: every task of the problems"),
    seed: z
      .int()
      .min(0)
      .max(2 ** 31 - 1)
      .default(1)
      .describe("seed for targets and random draws"),
    repeats: z.int().min(1).max(100).default(1).describe("runs of each problem"),
    parallel: z.int().min(1).max(mostParallel).default(1).describe("problems at once, one for each worker"),
    maxAttempts: z.int().min(1).max(20).default(2),
    maxProbes: z
      .int()
      .min(0)
      .max(mostProbes)
      .default(mostProbes)
      .describe("calls of observing tools per attempt"),
    budgets: SessionBudgets.prefault({}),
    feedback: Feedback.default("oracle").describe("what the agent gets to know after an attempt"),
    thinkTime: ThinkTime.default("counted"),
    reveal: Reveal.default("nothing").describe("what the agent gets to know of a problem that is over"),
    silenceSeconds: z
      .int()
      .min(10)
      .max(3600)
      .default(600)
      .describe("without a call or a heartbeat for so long, the agent is lost: its problem ends unsolved"),
  })
  .refine(
    ({ suite, problem, experiment }) =>
      [suite, problem, experiment].filter((one) => one !== undefined).length === 1,
    { path: ["suite"], message: "exactly one of suite, problem and experiment" },
  )
  .meta({ id: "SessionRequest" });
export type SessionRequest = z.output<typeof SessionRequest>;

/** What of the catalogue decides how a suite is asked for. */
interface Suites {
  readonly suites: readonly string[];
}

/** The experiment of a session that opens its own. */
export function experimentOf(
  request: SessionRequest,
  {
    id,
    budgets,
    problems,
  }: { readonly id: string; readonly budgets: AskedBudgets; readonly problems: Suites },
): ExperimentRequestInput {
  const { agent, task, parallel, silenceSeconds, ...rest } = request;
  const { seed, repeats, maxAttempts, maxProbes, feedback, thinkTime, reveal } = rest;
  return {
    ...{ id, seed, repeats, maxAttempts, maxProbes, feedback, thinkTime, reveal },
    ...casesOf(request, problems),
    method: "Session",
    model: sessionModel(agent),
    ...(task !== undefined && { task }),
    maxParallel: parallel,
    budgets,
    timeouts: { modelSeconds: silenceSeconds },
  };
}

function casesOf(
  { suite, problem, environment = "simple-micro" }: SessionRequest,
  { suites }: Suites,
): Pick<ExperimentRequestInput, "problems" | "environment" | "failures"> {
  if (problem !== undefined) return { problems: [problem].flat() };
  if (suite === undefined) return {};
  return suites.includes(suite) ? { problems: suite } : { environment, failures: suite };
}
