import { Concealment, Feedback, Persistence, ReportKind, VerdictName } from "@microremed/contracts";
import { type Command, Option } from "commander";
import { thinkTime, wholeNumber, yesOrNo } from "./parse-number.ts";

/** The options of `withRequestOptions` under commander's names: a saved experiment has its own. */
export const requestOptionNames = [
  ...["suite", "problem", "agent", "thinkTime", "history", "judge"],
  ...["env", "model", "remediateMethod", "task", "repeats", "experimentPath", "failure", "target"],
  ...["experiments", "report", "feedback", "verdict", "concealment", "persistence", "policy", "namespace"],
  ...[
    "waitInterval",
    "injectionTimeout",
    "enableStrictRestart",
    "seed",
    "agentSeed",
    "maxAttempts",
    "maxProbes",
    "parameter",
    "budget",
    "timeout",
    "watch",
    "soak",
  ],
  "playbook",
] as const;

/** What an experiment is to be, as options of a command. */
export function withRequestOptions(command: Command): Command {
  return withProblemOptions(withSolverOptions(command));
}

/** The same without who solves: for a command that says so itself. */
export function withProblemOptions(command: Command): Command {
  return withLimitOptions(withDifficultyOptions(withCaseOptions(command)));
}

/** Who solves. */
function withSolverOptions(command: Command): Command {
  return command
    .addOption(
      several("--model <name>", "model (see `microremed models`); may be repeated", "reference/runbook"),
    )
    .addOption(
      several(
        "--method, --remediate-method <name>",
        "method (see `microremed methods`); may be repeated: every model runs with every method; default with the model reference/expert alone: Player",
        "ThinkRemed",
      ),
    )
    .addOption(
      new Option(
        "--agent <[method/]model>",
        "method and model in one, for example ThinkRemed/gpt-4.1; without a method it is ReAct, which does every task; reference/expert finds and repairs the faults of the catalogue by rules",
      ).conflicts(["model", "remediateMethod"]),
    )
    .option("--playbook <file>", "for the method Human: run this playbook in every attempt");
}

/** Of a suite of problems `--env`, where it was given, takes those on this environment alone. */
export function suiteOnOf(
  given: { readonly suite?: string; readonly env: string },
  command: Command,
): { readonly suiteOn?: string } {
  const isOn = given.suite !== undefined && command.getOptionValueSource("env") !== "default";
  return isOn ? { suiteOn: given.env } : {};
}

/** Options that problems leave nothing to say. */
const problemsSay = ["env", "experimentPath", "failure", "target", "parameter", "report", "concealment"];

/** On which cases. */
function withCaseOptions(command: Command): Command {
  return command
    .option(
      "--env <name>",
      "environment (see `microremed environments`); with a suite of problems: only those on this one",
      "simple-micro",
    )
    .addOption(
      several(
        "--task <name>",
        "task for the agent: mitigation, detection, monitoring, localization, analysis, cycle, ...; may be repeated; default: mitigation, with --suite or --problem every task of the problems",
      ),
    )
    .addOption(
      new Option(
        "--think-time <how>",
        "what thinking counts in the times from the injection to the answers: counted (as long as the model's calls took), zero, or seconds for each 1,000 tokens of its answers",
      )
        .default("counted")
        .argParser(thinkTime),
    )
    .option(
      "--history <seconds>",
      "for tasks that ask a question: how long the healthy system is under load before the injection, on the cluster's clock",
      wholeNumber(0, 3600),
      180,
    )
    .option(
      "--judge <model>",
      "model that judges the free text of answers beside the grade, which it does not change; the report has how often they agree",
    )
    .option(
      "--repeats <n>",
      "runs of every case; with more than one, the report has pass^k, the chance that k runs of a case all succeed",
      wholeNumber(1, 100),
      1,
    )
    .addOption(
      new Option(
        "--suite <name>",
        "problems of a suite (see `microremed problems list`), those that can be run here; each says its environment and incident. Or the faults of a suite such as easy@1, on --env",
      ).conflicts([...problemsSay.filter((name) => name !== "env"), "problem"]),
    )
    .addOption(
      several(
        "--problem <suite/id>",
        "a problem (see `microremed problems list`); may be repeated",
      ).conflicts([...problemsSay, "experiments"]),
    )
    .addOption(
      new Option(
        "--experiment-path <suite|file>",
        "a suite (easy@1, medium@1, hard@1, <name>@<version>), a failure's name (15 cases), or a file with one failure per line",
      ).conflicts("failure"),
    )
    .option("--failure <name>", "only this failure: one case, or as many as --experiments says")
    .option("--target <name>", "inject into this target only; default: drawn from the possible ones")
    .option(
      "--experiments <n>",
      "number of cases; with --experiment-path or --suite: the first n (default: all); with --failure: n cases of it (default: 1); otherwise: n random draws (default: 100)",
      wholeNumber(1, 100_000),
    );
}

/** What the agent may know, and what counts as a repair. */
function withDifficultyOptions(command: Command): Command {
  return command
    .addOption(
      choice(
        "--report <kind>",
        "what the agent is given at the start; oracle: failed service and kind of failure; symptoms: measurements; none: nothing",
        ReportKind,
        "oracle",
      ),
    )
    .addOption(
      choice(
        "--feedback <kind>",
        "what the agent receives after an attempt; oracle: the verdict; observation: the measurements in words; none: only the playbook's output",
        Feedback,
        "oracle",
      ),
    )
    .addOption(
      choice("--verdict <name>", "the verdict that `--feedback oracle` reports", VerdictName, "strict"),
    )
    .addOption(
      choice(
        "--concealment <kind>",
        "none: the agent can see the object that causes the fault; neutral: it cannot",
        Concealment,
        "none",
      ),
    )
    .addOption(
      choice(
        "--persistence <kind>",
        "once: the fault is injected once; rearm: new pods get it again until the agent ends it for good",
        Persistence,
        "once",
      ),
    );
}

/** What the agent may do, and for how long. */
function withLimitOptions(command: Command): Command {
  return command
    .option("--policy <name>", "policy for playbooks (see `microremed policies`)", "guarded")
    .option("--namespace <name>", "namespace of the arenas; default: the environment's")
    .option(
      "--wait-interval <seconds>",
      "time between two checks of a condition that cannot be watched",
      wholeNumber(1, 300),
      10,
    )
    .option(
      "--injection-timeout <seconds>",
      "time limit for an injected failure to show its symptom",
      wholeNumber(1, 3600),
      30,
    )
    .option("--enable-strict-restart [bool]", "redeploy the environment before every episode", yesOrNo, false)
    .option("--seed <n>", "seed for targets and random draws", wholeNumber(0, 2 ** 31 - 1), 1)
    .option(
      "--agent-seed <text>",
      "key of the random numbers that an agent's own code draws, as another run has saved it, to draw the same; default: a new secret",
    )
    .option(
      "--max-attempts <n>",
      "maximum attempts of the agent per episode (T_max of the published benchmark)",
      wholeNumber(1, 20),
      2,
    )
    .option(
      "--max-probes <n>",
      "maximum observing calls of the agent per attempt (default: 12; reference/expert: 100)",
      wholeNumber(0, 100),
    )
    .addOption(
      several(
        "--timeout <name=seconds>",
        "time limit, for example probeSeconds=30: prepareSeconds, injectionSeconds, recoverySeconds, playbookSeconds, probeSeconds, modelSeconds or outageSeconds; may be repeated",
      ),
    )
    .addOption(
      several(
        "--watch <name=number>",
        "of the task monitoring: windows (how often the agent is asked at most), windowSeconds, or withinWindows (in how many windows from the fault's on an alarm finds it); may be repeated; a problem that says it goes before",
      ),
    )
    .option(
      "--soak <seconds>",
      "time after a recovery before everything is checked again",
      wholeNumber(0, 7200),
      0,
    )
    .addOption(
      several(
        "--parameter <failure.name=value>",
        "parameter of a failure, for example cpu-stress.workers=2; may be repeated",
      ),
    )
    .addOption(
      several(
        "--budget <name=number>",
        "limit per episode: probeRounds, toolCalls, tokens, seconds or cost (US dollars); may be repeated",
      ),
    );
}

/** An option that may be given several times. */
function several(flags: string, description: string, ...usual: readonly string[]): Option {
  return new Option(flags, description)
    .default(usual)
    .argParser((value: string, before: readonly string[]) =>
      before === usual ? [value] : [...before, value],
    );
}

function choice(
  flags: string,
  description: string,
  of: { options: readonly string[] },
  usual: string,
): Option {
  return new Option(flags, description).choices(of.options).default(usual);
}
