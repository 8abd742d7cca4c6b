import { z } from "zod";
import { EpisodeId, ExperimentId, FailureName } from "../ids.ts";
import { defineMessage } from "../messages/define-message.ts";
import type { StageService } from "../parties.ts";
import { Arena } from "../records/arena.ts";
import { FaultParameters } from "../records/bounded-json.ts";
import { Concealment } from "../records/choices.ts";
import { ErrorInfo } from "../records/error-info.ts";
import { Flap, FurtherFaults } from "../records/planned-problem.ts";

/** What a command is idempotent under, together with its stage; its result carries the same. */
const stageKey = {
  experimentId: ExperimentId,
  episodeId: EpisodeId,
  trial: z.int().min(1),
  attempt: z.int().min(0),
};

/** What every command carries: its key, and the lease under which it may act. */
export const commandKey = { ...stageKey, arena: Arena };

/** What of the case most stages need. */
export const caseOf = {
  environment: z.string(),
  failure: FailureName,
  target: z.string(),
  concealment: Concealment.optional().describe("absent: none"),
  parameters: FaultParameters.optional().describe("of the failure; absent: its own values"),
  flap: Flap.optional().describe("of the failure; absent: it stays"),
  further: FurtherFaults.optional().describe("the incident's other faults; absent: none"),
};

/** A stage that could not be done for a reason that is not the model's. */
export const failed = z.strictObject({ status: z.literal("failed"), error: ErrorInfo });

interface StageDefinition<
  Name extends string,
  State extends string,
  Service extends StageService,
  Shard extends string,
  Command extends z.ZodType,
  Body extends z.ZodType,
> {
  readonly name: Name;
  /** Of an episode while the stage's command is out. */
  readonly state: State;
  /** It alone may take the commands, and publish the results. */
  readonly service: Service;
  /** What the commands are spread over. */
  readonly shard: Shard;
  /** Whether it changes anything in the arena. */
  readonly changesArena: boolean;
  /** Of the command in the reference. */
  readonly title: string;
  readonly command: Command;
  /** Of the result, one variant for each `status`. */
  readonly body: Body;
  readonly doc: string;
}

/** Declares a stage of an episode: one command, and one result that names the command it answers. */
export function defineStage<
  const Name extends string,
  const State extends string,
  const Service extends StageService,
  const Shard extends "cluster" | "model",
  Command extends z.ZodType,
  Body extends z.ZodType,
>(stage: StageDefinition<Name, State, Service, Shard, Command, Body>) {
  const { name, service, shard, title, doc, body } = stage;
  return {
    ...stage,
    message: defineMessage({
      name: title,
      version: 1,
      subject: `microremed.commands.${name}.<${shard}>`,
      from: ["scheduler"],
      to: [service],
      schema: stage.command,
      doc,
    }),
    result: z.strictObject({ ...stageKey, stage: z.literal(name), body }),
  } as const;
}
