import type { z } from "zod";
import type { StageService } from "../parties.ts";
import { act } from "./act.ts";
import { grade } from "./grade.ts";
import { inject } from "./inject.ts";
import { prepare } from "./prepare.ts";
import { restore } from "./restore.ts";
import { solve } from "./solve.ts";

/** Every stage of an episode, in order. Adding one is a file and its place here; states, streams and rights follow. */
export const stages = { prepare, inject, solve, act, grade, restore } as const;

type Stages = typeof stages;

/** The name of a stage, e.g. `inject`. */
export type Stage = keyof Stages;

/** The names of all stages, in the order of an episode. */
export const stageNames = Object.keys(stages) as readonly Stage[];

/** The parsed command of a stage. */
export type CommandOf<S extends Stage> = z.output<Stages[S]["command"]>;

/** The parsed result of a stage: the command's key and a body for each `status`. */
export type ResultOf<S extends Stage> = z.output<Stages[S]["result"]>;
/** What a stage's handler returns; a failure it throws. */
export type StageBody<S extends Stage> = Exclude<ResultOf<S>["body"], { status: "failed" }>;

/** The stages that a service does. */
export type StagesOf<Service extends StageService> = {
  [S in Stage]: Stages[S]["service"] extends Service ? S : never;
}[Stage];

/** The names of the stages that a service does, in the order of an episode. */
export function stagesOf<Service extends StageService>(service: Service): readonly StagesOf<Service>[] {
  return stageNames.filter((name): name is StagesOf<Service> => stages[name].service === service);
}
