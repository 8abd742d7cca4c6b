import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Bus, type Handler, type MessageContext, wasStopped } from "@microremed/bus";
import {
  type Arena,
  type Stage,
  type StageBody,
  StageResult,
  serviceOfStage,
  subjects,
} from "@microremed/contracts";
import { AppError, accountWork, clipMiddle, terminal } from "@microremed/core";
import { type State, stageKeyText } from "@microremed/state";
import { claimMs, type HeldClaim, holdClaim } from "./hold-claim.ts";
import { namingService } from "./lacking-entry.ts";

/** What every command carries: the key under which it is idempotent, and the lease under which it may act. */
export interface StageCommand {
  readonly experimentId: string;
  readonly episodeId: string;
  readonly trial: number;
  readonly attempt: number;
  readonly arena: Arena;
}

/** The context of the work on a command. */
export type StageContext = MessageContext & Pick<HeldClaim, "assertHeld" | "assertCurrent">;

export interface StageHandlerOptions<S extends Stage, C extends StageCommand> {
  readonly stage: S;
  readonly bus: Pick<Bus, "publish">;
  readonly state: {
    readonly results: Pick<State["results"], "store">;
    readonly claims: Pick<State["claims"], "take" | "renew" | "release">;
  };
  /** Does the stage's work. May be called again for the same command when it died before its result was stored. */
  readonly run: (command: C, context: StageContext) => Promise<StageBody<S>>;
  /** What a failed result says besides its error. Where it fails itself, nothing. Default: nothing. */
  readonly besideFailure?: ((command: C) => Promise<object>) | undefined;
}

/** Deliveries in which a retryable error is worth another try: with the bus's back-off, over 16 s. */
const tries = 7;
const longestMessage = 8_000;
/** Of a result as JSON; NATS takes 1 MiB with headers. */
const mostBytes = 1_000_000;
/** Between two checks of a command that another process works on, ms. */
const checkAgainMs = 1_000;
/** How long Redis may be away when a result is to be stored, ms: the work need not be done again. */
const storeWithinMs = 60_000;

/**
 * Turns a stage's work into a handler of its command:
 * - a command whose result is stored is answered with that result, and nothing is done again;
 * - a command under a lease that is no longer the arena's is answered with `stale-lease`, and nothing is done;
 * - while another process works on the command, this one waits for its result, or for its death;
 * - a retryable error is tried again, over 16 s; it and a terminal one end in a `failed` result;
 * - the result is stored before it is published, so that there is one result per command whatever dies when.
 */
export function stageHandler<S extends Stage, C extends StageCommand>(
  options: StageHandlerOptions<S, C>,
): Handler<C> {
  const { stage, bus, state } = options;
  return async (command, context) => {
    const { experimentId, episodeId, trial, attempt, arena } = command;
    const key = { experimentId, episodeId, trial, attempt, stage };
    const claim = { ...key, arena };
    const holder = randomUUID();
    Object.assign(context.fields, { stage, trial, attempt, cluster: arena.cluster });
    const publish = (result: StageResult, id: string): Promise<void> =>
      bus.publish(subjects.result(stage), result, { msgId: `${stageKeyText(key)}/${id}` });

    for (;;) {
      const taking = await state.claims.take(claim, holder, claimMs);
      switch (taking.status) {
        case "done":
          context.fields["repeated"] = true;
          return publish(taking.result, "result");
        case "stale": {
          const body = failure(staleLease(command, taking.fence), context);
          return publish(StageResult.parse({ ...key, body }), "stale");
        }
        case "busy":
          context.fields["waited"] = true;
          await delay(Math.min(taking.forMs, checkAgainMs), undefined, { signal: context.stopping });
          break;
        case "taken": {
          await using held = holdClaim(state.claims, claim, holder, context.signal);
          const body = await outcomeOf(options, command, context, held);
          if (body === undefined) break;
          const valid = validResult(key, body, context);
          const stored = await persist(context.signal, () => state.results.store(valid, holder));
          if (stored) {
            held.ended();
            return publish(stored, "result");
          }
          break;
        }
        default:
          return taking satisfies never;
      }
    }
  };
}

function staleLease({ arena, episodeId }: StageCommand, fence: number): AppError {
  return terminal(
    "stale-lease",
    `episode ${episodeId} no longer holds arena ${arena.cluster}/${arena.slot}: its lease has the fence ${arena.fence}, the current one is ${fence}`,
    { fence, held: arena.fence },
  );
}

/** `undefined`: the claim was lost meanwhile, so nothing counts that was done since. */
async function outcomeOf<S extends Stage, C extends StageCommand>(
  options: StageHandlerOptions<S, C>,
  command: C,
  context: MessageContext,
  held: HeldClaim,
): Promise<unknown> {
  const { signal, assertHeld, assertCurrent } = held;
  try {
    return await accountWork(async (times) => {
      try {
        return await options.run(command, { ...context, signal, assertHeld, assertCurrent });
      } finally {
        const { requests, requestMs, waitMs } = times();
        Object.assign(context.fields, {
          cluster_requests: requests,
          cluster_request_ms: requestMs,
          cluster_wait_ms: waitMs,
        });
      }
    });
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (context.signal.aborted || wasStopped(thrown, context)) throw thrown;
    if (held.lost) return undefined;
    if (error.severity === "retryable" && context.attempt < Math.min(tries, context.maxAttempts)) throw error;
    const beside = await options.besideFailure?.(command).catch(() => ({}));
    return { ...failure(namingService(serviceOfStage[options.stage], error), context), ...beside };
  }
}

/** Does repeatable work again while it fails for a reason that passes. */
async function persist<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + storeWithinMs;
  for (;;) {
    try {
      return await work();
    } catch (thrown) {
      const isOver = performance.now() > deadline || signal.aborted;
      if (isOver || AppError.from(thrown).severity !== "retryable") throw thrown;
      await delay(checkAgainMs, undefined, { signal });
    }
  }
}

function failure(error: AppError, context: MessageContext): object {
  const message = clipMiddle(error.message, longestMessage);
  Object.assign(context.fields, { error_code: error.code, error_message: message });
  return { status: "failed", error: { code: error.code, message, details: error.details } };
}

/** A result that is not as it must be, or too large for the bus, is a failure: it could never be published. */
function validResult(key: object, body: unknown, context: MessageContext): StageResult {
  const { data, error } = StageResult.safeParse({ ...key, body });
  const bytes = data === undefined ? 0 : Buffer.byteLength(JSON.stringify(data));
  if (data !== undefined && bytes <= mostBytes) return data;
  const trouble = error ? malformed(error) : tooLarge(bytes);
  return StageResult.parse({ ...key, body: failure(trouble, context) });
}

const tooLarge = (bytes: number): AppError =>
  terminal("internal", `the stage's result has ${bytes} bytes, and a message takes at most ${mostBytes}`);

function malformed(cause: Error): AppError {
  return terminal("internal", `the stage's result does not match its schema: ${cause.message}`);
}
