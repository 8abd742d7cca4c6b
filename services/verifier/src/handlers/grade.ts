import { type FaultContext, unionOfTruths } from "@microremed/catalogue";
import { type GradeCommand, isInjected, type StageBody, type Verdict } from "@microremed/contracts";
import type { Catalogue } from "@microremed/registry";
import {
  type AskJudge,
  type Evidence,
  firstPart,
  furtherParts,
  judgeFreeText,
  verifyRecovery,
} from "@microremed/verification";

/** Where something is graded, and what it is graded with. */
export interface GradedArena extends Omit<FaultContext, "target"> {
  readonly catalogue: Pick<Catalogue, "faults" | "oracles" | "tasks">;
  /** Asks the model that a command names. */
  readonly askJudge: AskJudge;
}

type Graded = Evidence &
  Pick<
    GradeCommand,
    | "task"
    | "answer"
    | "failure"
    | "target"
    | "concealment"
    | "parameters"
    | "flap"
    | "further"
    | "judge"
    | "timeoutSeconds"
  >;

/**
 * Grades as the command's task says. The live system is judged if the task asks for it, once. The model that a command
 * names judges the free text of the answer, after the grade and without any effect on it.
 */
export async function grade(
  { catalogue, askJudge, ...arena }: GradedArena,
  command: Graded,
  assertHeld?: () => Promise<void>,
): Promise<StageBody<"grade">> {
  const { concealment = "none", timeoutSeconds, answer } = command;
  const place = { ...arena, concealment };
  const { context, judged } = firstPart(place, command, catalogue);
  const further = furtherParts(place, command, catalogue);
  const task = catalogue.tasks.get(command.task);
  const parts = [{ context, judged }, ...further];
  // Before the fault of a watch has come, nothing is wrong.
  const truths = isInjected(command.injection)
    ? parts.flatMap(({ context: of, judged: { fault } }) => (fault.control ? [] : [fault.truth(of)]))
    : [];
  let measured: Promise<Verdict> | undefined;
  const verify = (): Promise<Verdict> => {
    measured ??= verifyRecovery(context, judged, command, timeoutSeconds, assertHeld, further);
    return measured;
  };
  const { environment, namespace } = arena;
  const known = { truth: unionOfTruths(truths), truths, environment, namespace };
  const given = await task.grade({ ...known, answer, verify });
  const text = command.judge && task.freeText?.(answer)?.trim();
  const judgement =
    command.judge && text
      ? await judgeFreeText(text, truths, command.judge, askJudge, arena.signal)
      : undefined;
  return {
    status: "ok",
    grade: { ...given, ...(judgement && { judgement }) },
    verdict: measured === undefined ? null : await measured,
  };
}
