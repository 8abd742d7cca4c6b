import { truthOf, unionOfTruths } from "@microremed/catalogue";
import {
  type EndStep,
  type EpisodeDocument,
  type EpisodeRecord,
  endSteps,
  environmentOf,
  firstParameters,
  gradeOfStep,
  isInjected,
  isPassed,
  isScored,
  submitTool,
  taskOf,
} from "@microremed/contracts";
import { AppError, terminal } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";

type Known = Pick<Catalogue, "environments" | "faults" | "tasks">;

/**
 * Where the outcome of a saved episode does not follow from what is saved with it, one sentence each: the last answer of each task
 * is graded again with the truth of the incident, the last verdict is compared with its checks, the outcome with the grades. It measures no
 * system: a forged measurement is found by a replay alone. An episode without a result has no problems.
 */
export async function outcomeProblems(episode: EpisodeDocument, catalogue: Known): Promise<string[]> {
  if (!isScored(episode.outcome)) return [];
  const task = catalogue.tasks.get(taskOf(episode));
  const last = lastGraded(episode, task.parts ?? [task.name], task.watch === true);
  const grades = task.watch ? [] : last.map((step) => gradedAgain(episode, step, catalogue));
  const passed = last.length > 0 && last.every((step) => step && gradeOfStep(step)?.passed === true);
  const names = task.outcomes ?? { passed: "solved", failed: "not-solved" };
  const expected = passed ? names.passed : names.failed;
  const outcome =
    episode.outcome === expected || (task.watch && !passed && !isPassed(episode.outcome))
      ? []
      : [`the outcome is ${episode.outcome}, but its grades say ${expected}`];
  return [...(await Promise.all(grades)).flat(), ...last.flatMap(verdictProblems), ...outcome];
}

/** The last step with a grade, of each task that was asked; undefined: it has none. */
function lastGraded(
  episode: EpisodeRecord,
  parts: readonly string[],
  isWatch: boolean,
): (EndStep | undefined)[] {
  const steps = endSteps(episode.steps);
  // What counts is the last window of a watch, whether it has an answer or not.
  if (isWatch) return [steps.at(-1)];
  return parts.map((part) =>
    steps.findLast((step) => (step.task ?? part) === part && gradeOfStep(step) !== null),
  );
}

async function gradedAgain(
  episode: EpisodeDocument,
  step: EndStep | undefined,
  { environments, faults, tasks }: Known,
): Promise<string[]> {
  const was = step && gradeOfStep(step);
  if (!step || !was) return [];
  const environment = environments.get(environmentOf(episode, episode.request));
  const { problem } = episode;
  const { failure, target } = episode;
  const parameters = firstParameters(episode, episode.request);
  const incident = [{ failure, target, parameters, flap: problem?.flap }, ...(problem?.further ?? [])];
  const truths = (isInjected(episode.injection) ? incident : []).flatMap(({ failure: name, ...place }) => {
    const fault = faults.get(name);
    return fault.control ? [] : [truthOf(fault, environment, place)];
  });
  const name = step.task ?? taskOf(episode);
  const again = await tasks
    .get(name)
    .grade({
      ...{ truths, truth: unionOfTruths(truths), environment },
      namespace: episode.arena?.namespace ?? environment.namespace,
      answer: step.kind === "submit" && step.tool === submitTool ? step.arguments : null,
      verify: async () => {
        if (step.verdict) return step.verdict;
        throw terminal("invalid-request", "no verdict is saved");
      },
    })
    .catch((error: unknown) => AppError.from(error));
  if (again instanceof AppError) return [`${name}: it cannot be graded again: ${again.message}`];
  if (again.passed === was.passed && Math.abs(again.score - was.score) < 1e-9) return [];
  const words = ({ passed, score }: { readonly passed: boolean; readonly score: number }): string =>
    `${passed ? "passed" : "failed"} with ${score}`;
  return [`${name}: the saved grade is ${words(was)}, graded again it is ${words(again)}`];
}

/** A verdict is good only where each of its checks is, and each check only where nothing was left unmeasured. */
function verdictProblems(step: EndStep | undefined): string[] {
  const verdict = step?.verdict;
  if (!verdict?.recovered) return [];
  const failed = verdict.oracles.filter(
    ({ passed, measurements }) => !passed || measurements.some(({ value }) => value === null),
  );
  if (verdict.oracles.length > 0 && failed.length === 0) return [];
  const which = failed.map(({ oracle }) => oracle).join(", ") || "it has no check";
  return [`the verdict says recovered, but not all of its checks passed: ${which}`];
}
