import { z } from "zod";
import { type ResultOf, type Stage, stageNames, stages } from "../stages/stages.ts";
import { defineMessage } from "./define-message.ts";

/** What came of a command. The scheduler ignores one that the episode no longer waits for. */
export type StageResult = { [S in Stage]: ResultOf<S> }[Stage];

const [first, ...others] = stageNames.map((name) => stages[name].result);
if (first === undefined) throw new TypeError("an episode has no stages");
export const StageResult = z.discriminatedUnion("stage", [first, ...others]) as z.ZodType<StageResult>;

/** The message of `StageResult`, on a subject of the stage's own. */
export const stageResult = defineMessage({
  name: "StageResult",
  version: 1,
  subject: "microremed.results.<stage>",
  from: [...new Set(stageNames.map((name) => stages[name].service))],
  to: ["scheduler"],
  schema: StageResult,
  doc: "The result of a command of the given `stage`. Each service publishes the results of its own stages.",
});
