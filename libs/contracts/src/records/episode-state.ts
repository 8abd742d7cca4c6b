import { z } from "zod";
import { type Stage, stageNames, stages } from "../stages/stages.ts";

/** Of an episode while the command of a stage is out. */
type StateOfStage = (typeof stages)[Stage]["state"];

/** `planned`: waits for an arena; each of the others but `done` is one in which a stage's command is out. */
export type EpisodeState = "planned" | StateOfStage | "done";

const states: readonly [EpisodeState, ...EpisodeState[]] = [
  "planned",
  ...stageNames.map((name) => stages[name].state),
  "done",
];
export const EpisodeState = z.enum(states);

/** Which stage's command is out, and its result awaited, in each state of an episode. */
export const stageOut = Object.fromEntries(
  states.map((state) => [state, stageNames.find((name) => stages[name].state === state)]),
) as Readonly<Record<EpisodeState, Stage | undefined>>;
