import { type EpisodeRecord, endSteps, type Grade, gradeOfStep, lastGradeOf } from "@microremed/contracts";

/** How a game ended, in words: its outcome with the reason, and of a cycle a line for each of its tasks. */
export function endingText(episode: Pick<EpisodeRecord, "outcome" | "reason" | "steps"> | undefined): string {
  if (!episode) return "no episode";
  const { outcome, reason, steps } = episode;
  const grades = new Map<string, Grade>();
  for (const step of endSteps(steps)) {
    const grade = gradeOfStep(step);
    if (grade && step.task !== undefined) grades.set(step.task, grade);
  }
  const name = outcome ?? "no outcome";
  if (grades.size === 0) return `${name}: ${lastGradeOf(episode)?.reason ?? reason ?? ""}`;
  const lines = [...grades].map(
    ([task, { passed, reason: why }]) => `  ${task}: ${passed ? "passed" : "failed"}: ${why}`,
  );
  return [name, ...lines].join("\n");
}

/** What a player reads who gave up: what was wrong, and where the game is saved. */
export function givenUpText(
  explanations: readonly string[],
  problem: string,
  savePath: string | undefined,
): string {
  const wrong = explanations.join("; ") || "nothing";
  return [
    `given up. What was wrong: ${wrong}`,
    `all of it: microremed problems describe ${problem} --solution`,
    ...(savePath === undefined ? [] : [`what was played is saved in ${savePath}`]),
  ].join("\n");
}
