import type { Bus, Handler, MessageContext } from "@microremed/bus";
import { type Arena, type ResultOf, type Stage, StageResult, subjects } from "@microremed/contracts";
import { AppError, clipMiddle, terminal } from "@microremed/core";
import { type State, stageKeyText } from "@microremed/state";

/** What every command carries: the key under which it is idempotent, and the lease under which it may act. */
export interface StageCommand {
  readonly experimentId: string;
  readonly episodeId: string;
  readonly trial: number;
  readonly attempt: number;
  readonly arena: Arena;
}

/** What a stage's handler returns; a failure it throws. */
export type StageBody<S extends Stage> = Exclude<ResultOf<S>["body"], { status: "failed" }>;

export interface StageHandlerOptions<S extends Stage, C extends StageCommand> {
  readonly stage: S;
  readonly bus: Pick<Bus, "publish">;
  readonly state: Pick<State, "results"> & { readonly arenas: Pick<State["arenas"], "currentFence"> };
  /** Does the stage's work. May be called again for the same command when it died before its result was stored. */
  readonly run: (command: C, context: MessageContext) => Promise<StageBody<S>>;
}

/** Deliveries in which a retryable error is worth another try. */
const tries = 4;
const longestMessage = 8_000;

/**
 * Turns a stage's work into a handler of its command:
 * - a command whose result is stored is answered with that result, and nothing is done again;
 * - a command under a lease that is no longer the arena's is answered with `stale-lease`, and nothing is done;
 * - a retryable error is tried again three times, later; it and a terminal one end in a `failed` result;
 * - the result is stored before it is published, so that there is one result per command whatever dies when.
 */
export function stageHandler<S extends Stage, C extends StageCommand>(
  options: StageHandlerOptions<S, C>,
): Handler<C> {
  const { stage, bus, state } = options;
  return async (command, context) => {
    const { experimentId, episodeId, trial, attempt } = command;
    const key = { experimentId, episodeId, trial, attempt, stage };
    Object.assign(context.fields, { stage, trial, attempt, cluster: command.arena.cluster });
    const publish = (result: StageResult, id: string): Promise<void> =>
      bus.publish(subjects.result(stage), result, { msgId: `${stageKeyText(key)}/${id}` });

    const stored = await state.results.get(key);
    if (stored) {
      context.fields["repeated"] = true;
      return publish(stored, "result");
    }
    const stale = await staleness(state, command);
    if (stale) return publish(StageResult.parse({ ...key, body: failure(stale, context) }), "stale");

    const body = await outcomeOf(options, command, context);
    const result = StageResult.safeParse({ ...key, body });
    const valid = result.success
      ? result.data
      : StageResult.parse({ ...key, body: failure(malformed(result.error), context) });
    await publish(await state.results.store(valid), "result");
  };
}

async function staleness(
  state: StageHandlerOptions<Stage, StageCommand>["state"],
  { arena, episodeId }: StageCommand,
): Promise<AppError | undefined> {
  const fence = await state.arenas.currentFence(arena);
  if (fence === arena.fence) return undefined;
  return terminal(
    "stale-lease",
    `episode ${episodeId} no longer holds arena ${arena.cluster}/${arena.slot}: its lease has the fence ${arena.fence}, the current one is ${fence}`,
    { fence, held: arena.fence },
  );
}

async function outcomeOf<S extends Stage, C extends StageCommand>(
  options: StageHandlerOptions<S, C>,
  command: C,
  context: MessageContext,
): Promise<unknown> {
  try {
    return await options.run(command, context);
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (context.signal.aborted) throw error;
    if (error.severity === "retryable" && context.attempt < Math.min(tries, context.maxAttempts)) throw error;
    return failure(error, context);
  }
}

function failure(error: AppError, context: MessageContext): unknown {
  const message = clipMiddle(error.message, longestMessage);
  Object.assign(context.fields, { error_code: error.code, error_message: message });
  return { status: "failed", error: { code: error.code, message, details: error.details } };
}

function malformed(cause: Error): AppError {
  return terminal("internal", `the stage's result does not match its schema: ${cause.message}`);
}
