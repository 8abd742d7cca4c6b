import { existsSync } from "node:fs";
import type { ExperimentRequestInput, FailurePlan } from "@microremed/contracts";
import { sequenceNames } from "@microremed/planner";
import type { Catalogue } from "@microremed/registry";
import { checkRequest, parseSequence, readTextFile } from "./read-request.ts";

/** The options of `microremed run`, as commander hands them over. */
export interface RunOptions {
  readonly env: string;
  readonly model: readonly string[];
  readonly remediateMethod: readonly string[];
  readonly task: readonly string[];
  readonly repeats: number;
  readonly report: string;
  readonly feedback: string;
  readonly verdict: string;
  readonly concealment: string;
  readonly persistence: string;
  readonly experiments: number;
  readonly experimentPath?: string;
  readonly namespace?: string;
  readonly policy: string;
  readonly waitInterval: number;
  readonly injectionTimeout: number;
  readonly enableStrictRestart: boolean;
  readonly seed: number;
  readonly maxAttempts: number;
  readonly arenas: number;
  readonly budget: readonly string[];
  readonly playbook?: string;
}

/** The request that `run` submits. A wrong value is reported by the request's own rules. */
export async function runRequest(
  options: RunOptions,
  catalogue: Pick<Catalogue, "faults" | "suites">,
): Promise<ExperimentRequestInput> {
  const request = {
    environment: options.env,
    model: options.model,
    method: options.remediateMethod,
    task: options.task,
    repeats: options.repeats,
    report: options.report,
    feedback: options.feedback,
    verdict: options.verdict,
    concealment: options.concealment,
    persistence: options.persistence,
    failures: await failurePlan(options, catalogue),
    seed: options.seed,
    ...(options.namespace !== undefined && { namespace: options.namespace }),
    policy: options.policy,
    maxAttempts: options.maxAttempts,
    budgets: budgetsFrom(options.budget),
    ...(options.playbook !== undefined && {
      playbook: await readTextFile(options.playbook, "the playbook"),
    }),
    maxParallel: options.arenas,
    waitInterval: options.waitInterval,
    strictRestart: options.enableStrictRestart,
    timeouts: { injectionSeconds: options.injectionTimeout },
  };
  return checkRequest(request, "the arguments");
}

/** A level's or sequence's name, a file of names, or so many draws. */
async function failurePlan(
  options: RunOptions,
  catalogue: Pick<Catalogue, "faults" | "suites">,
): Promise<FailurePlan> {
  const path = options.experimentPath;
  if (path === undefined) return { random: options.experiments };
  if (sequenceNames(catalogue).includes(path) && !existsSync(path)) return path;
  return parseSequence(await readTextFile(path, "the experiment file"));
}

/** `tokens=200000` and the like; what is wrong with them is said by the request's own rules. */
function budgetsFrom(words: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    words.map((word) => {
      const [name = "", value = ""] = word.split("=", 2);
      return [name, value === "" || Number.isNaN(Number(value)) ? value : Number(value)];
    }),
  );
}
