import { z } from "zod";
import { defaultTask, ExperimentId, FailureName, KubeName, ModelName, PolicyName, TaskName } from "../ids.ts";
import { maxPlaybookLength } from "../limits.ts";
import { FaultParameters } from "../records/bounded-json.ts";
import { RequestedBudgets } from "../records/budgets.ts";
import {
  Concealment,
  Feedback,
  Persistence,
  ReportKind,
  Reveal,
  ThinkTime,
  VerdictName,
} from "../records/choices.ts";
import { ProblemId } from "../records/planned-problem.ts";
import { Watch } from "../records/watch.ts";
import { defineMessage } from "./define-message.ts";

/** Which failures an experiment runs, in order: a level's name, a list, or a number drawn at random from the seed. */
export const FailurePlan = z.union([
  z.string().min(1),
  z.array(FailureName).min(1).max(100_000),
  z.strictObject({ random: z.int().min(1).max(1_000_000) }),
]);
export type FailurePlan = z.infer<typeof FailurePlan>;

/** A suite of which every problem is run that can be, or problems by their full names. */
export const ProblemPlan = z.union([z.string().min(1).max(100), z.array(ProblemId).min(1).max(100_000)]);
export type ProblemPlan = z.infer<typeof ProblemPlan>;

/** One name or a list of names, each once; always read as a list. */
function oneOrMore(name: z.ZodString) {
  return z
    .union([name, z.array(name).min(1).max(100)])
    .transform((given) => [...new Set(typeof given === "string" ? [given] : given)]);
}

const usualFailures = "easy@1";
/** As records of before have it. */
const usualBefore = "easy";

/** Observing calls in an attempt, where neither the request nor the model says another number. */
export const usualProbes = 12;

/** Deadlines in seconds of cluster time, except those that say wall clock. */
export const Timeouts = z.strictObject({
  prepareSeconds: z
    .int()
    .min(10)
    .max(7200)
    .default(900)
    .describe("until the environment is deployed and healthy"),
  injectionSeconds: z
    .int()
    .min(1)
    .max(3600)
    .default(30)
    .describe("from the injection until its symptom is measured"),
  recoverySeconds: z.int().min(10).max(7200).default(300).describe("from the playbook's end to the verdict"),
  playbookSeconds: z.int().min(1).max(3600).default(300).describe("one ansible-playbook run, wall clock"),
  probeSeconds: z.int().min(1).max(300).default(10).describe("one probe command, wall clock"),
  modelSeconds: z.int().min(1).max(3600).default(120).describe("one model call, wall clock"),
  outageSeconds: z
    .int()
    .min(0)
    .max(604_800)
    .default(3600)
    .describe(
      "how long the episodes of a model wait for its provider when that fails, wall clock; then, or at once with 0, they end as harness errors",
    ),
});

const fields = z.strictObject({
  id: ExperimentId.optional().describe("submitting the same id twice starts one experiment"),
  environment: z
    .string()
    .min(1)
    .optional()
    .describe("name of a registered environment; needed unless `problems` says which"),
  problems: ProblemPlan.optional().describe(
    "instead of environment and failures: a suite of problems (aiopslab@1), of which those that can run here are run, or a list of problems (range@1/...); each says its environment, incident and what the agent is given",
  ),
  model: oneOrMore(ModelName).describe(
    "name of a model, or a list: reference/expert, reference/noop, reference/restart, reference/runbook, reference/random, or any model in the remediators' models file; none: for methods that call no model",
  ),
  method: oneOrMore(z.string().min(1))
    .prefault("ThinkRemed")
    .describe("name of a registered method, or a list: every model runs with every method on the same cases"),
  task: oneOrMore(TaskName)
    .optional()
    .describe(
      "name of a task, or a list: mitigation (repair the system), detection, ...; default: mitigation, and with `problems` every task that they have",
    ),
  repeats: z.int().min(1).max(100).default(1).describe("runs of each case, for pass^k"),
  failures: FailurePlan.default(usualFailures).describe(
    "a suite of faults (easy@1, medium@1, hard@1), a failure's name (its 15-case sequence), a list of failures, or {random: N}; the failure `none` is a control: nothing is injected",
  ),
  target: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .describe("the only target that failures are injected into; default: drawn from the possible ones"),
  parameters: z
    .record(FailureName, FaultParameters)
    .optional()
    .describe(
      'parameters of failures, by the failure\'s name: {"<failure>": {"workers": 2}}; default: the failure\'s own values',
    ),
  cases: z
    .array(z.int().min(0))
    .min(1)
    .max(100_000)
    .optional()
    .describe("numbers of the cases to run, from 0; default: all"),
  episodes: z
    .array(z.int().min(0))
    .min(1)
    .max(50_000)
    .optional()
    .describe(
      "numbers of the episodes to run, from 0, in a request with one model; default: all. `run --resume` asks for those that are missing",
    ),
  seed: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .default(1)
    .describe("seed for targets and random draws"),
  agentSeed: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      "key of the random numbers that an agent's own code draws; default: a secret of the experiment, which is saved with its episodes. With that of another experiment it draws the same. Who knows it can find out from the numbers which case an agent has: keep it from the agent",
    ),
  namespace: KubeName.optional().describe("namespace of the arenas; default: the environment's"),
  maxAttempts: z
    .int()
    .min(1)
    .max(20)
    .default(2)
    .describe("T_max: rounds of generate, execute, verify per episode (SoloGen always has one)"),
  maxProbes: z
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe(`observing calls per attempt; default: ${usualProbes}, and 100 of reference/expert`),
  report: ReportKind.default("oracle").describe(
    "content of the diagnosis report: the failed service and category, the measured symptoms, or nothing",
  ),
  feedback: Feedback.default("oracle").describe(
    "what the method receives after an attempt: the verdict, the measurements in words, or only its playbook's output; without the verdict, attempts continue until the method ends the episode",
  ),
  verdict: VerdictName.default("strict").describe(
    "the verdict that `feedback: oracle` reports; the outcome always follows the strict verdict, and reports show the published rules' verdict in a separate column; microremed is refused for failures that these rules have no check for",
  ),
  concealment: Concealment.default("none").describe(
    "neutral: the agent can neither see nor reach chaos objects",
  ),
  persistence: Persistence.default("once").describe(
    "rearm: a new pod is not a repair if the fault defines a right action",
  ),
  soakSeconds: z
    .int()
    .min(0)
    .max(7200)
    .default(0)
    .describe(
      "cluster time after a recovery before everything is checked again; what does not hold has relapsed and is not recovered",
    ),
  historySeconds: z
    .int()
    .min(0)
    .max(3600)
    .default(180)
    .describe(
      "seconds of cluster time before the question that agents can see; the healthy system is under load for a little longer before the injection. 0: they see what was since the baseline, which is longer with a fault. Tasks without a question (mitigation) have none",
    ),
  watch: Watch.prefault({}).describe(
    "of the task monitoring: when the agent is asked; the seed says in which window a fault comes",
  ),
  thinkTime: ThinkTime.default("counted").describe(
    "what an agent's thinking counts in the times from the injection to its answers: counted (as long as its model calls took), zero, or a number of seconds for each 1,000 tokens that the model answered",
  ),
  reveal: Reveal.optional().describe(
    "what an outside agent gets to know of an episode that is over: nothing, or outcome (whether it was solved); default: nothing",
  ),
  judge: ModelName.optional().describe(
    "model that says whether the free text of an answer (`explanation` of analysis) names what is wrong; it decides nothing: reports measure how often it agrees with the grade. `timeouts.modelSeconds` limits its call; its tokens and cost are counted apart; default: none is asked",
  ),
  budgets: RequestedBudgets.prefault({}).describe(
    "limits of an episode; default: probeRounds 40, toolCalls 120, tokens 1000000, seconds 3600, cost null, and of reference/expert probeRounds 1000, toolCalls 2000, tokens 100000000",
  ),
  playbook: z
    .string()
    .min(1)
    .max(maxPlaybookLength)
    .optional()
    .describe(
      "for the method Human: playbook to run in every attempt; default: wait for `microremed answer`",
    ),
  maxParallel: z.int().min(1).max(1000).default(8).describe("arenas this experiment may hold at once"),
  priority: z
    .int()
    .min(0)
    .max(9)
    .default(5)
    .describe("share of free arenas relative to other experiments: 9 gets ten times as many as 0"),
  owner: KubeName.optional().describe(
    "whose experiment it is: owners share the arenas, whatever the number of their experiments and the priority of these. Sessions of outside agents set it to their token's id; default: that of all experiments without one",
  ),
  waitInterval: z
    .int()
    .min(1)
    .max(300)
    .default(10)
    .describe("seconds of cluster time between two readings of a condition that cannot be watched"),
  strictRestart: z.boolean().default(false).describe("redeploy the environment before every episode"),
  policy: PolicyName,
  clusters: z.array(KubeName).min(1).optional().describe("clusters that may be used; default: all"),
  timeouts: Timeouts.prefault({}),
});

type Fields = z.infer<typeof fields>;

/** What is said of a wrong field whatever else is wrong. */
function issueAt(path: string, message: string) {
  const when = ({ value }: { readonly value: unknown }): boolean =>
    typeof value === "object" && value !== null;
  return { path: [path], message, when };
}

const left = "leave it out: the problems say it";
const leftOut = (name: "environment" | "target" | "parameters") => (request: Fields) =>
  request.problems === undefined || request[name] === undefined;

/** What a client publishes to start an experiment. Needed are `model`, and `environment` or `problems`. */
export const ExperimentRequest = fields
  .refine(
    ({ environment, problems }) => environment !== undefined || problems !== undefined,
    issueAt("environment", "is missing"),
  )
  .refine(leftOut("environment"), issueAt("environment", left))
  .refine(leftOut("target"), issueAt("target", left))
  .refine(leftOut("parameters"), issueAt("parameters", left))
  .refine(
    ({ problems, failures }) =>
      problems === undefined || failures === usualFailures || failures === usualBefore,
    issueAt("failures", left),
  );
export type ExperimentRequest = z.infer<typeof ExperimentRequest>;

/** The tasks of a request that names failures. */
export function tasksOf({ task }: Pick<ExperimentRequest, "task">): readonly string[] {
  return task ?? [defaultTask];
}

/** The request as a client writes it, defaults left out. */
export type ExperimentRequestInput = z.input<typeof ExperimentRequest>;

/** The message of `ExperimentRequest`. A plain `nats pub` to its subject starts an experiment. */
export const experimentRequest = defineMessage({
  name: "ExperimentRequest",
  version: 1,
  subject: "microremed.experiments.submit",
  from: ["client", "gateway"],
  to: ["scheduler"],
  schema: ExperimentRequest,
  doc: 'Starts an experiment. Answered by an experiment-started or experiment-rejected event, and on the subject named in the header `Microremed-Reply-To`, with `{"status": "accepted", "experimentId", "episodes"}` or `{"status": "rejected", "issues": [{"path", "message"}]}`.',
});
