import { setTimeout as delay } from "node:timers/promises";
import { type ErrorCode, errorCodes, type Spent } from "@microremed/contracts";
import { AppError, retryable, terminal } from "@microremed/core";
import { z } from "zod";
import type { GatewayAccess } from "../gateway/find-gateway.ts";
import { isSpent } from "./model-proxy.ts";

/** A turn as the gateway hands it out; what else it says is passed on to the program. */
const Turn = z.looseObject({
  status: z.literal("problem"),
  problem: z.string(),
  attempt: z.int(),
  /** Its name: what is sent for it is refused in any other. */
  turn: z.string(),
  task: z.string(),
  mayAct: z.boolean(),
  words: z.string(),
  tools: z.array(
    z.looseObject({
      name: z.string(),
      description: z.string(),
      parameters: z.record(z.string(), z.unknown()),
    }),
  ),
  limits: z.looseObject({
    tokens: z.number().nullish(),
    cost: z.number().nullish(),
    submitIsFinal: z.boolean().optional(),
  }),
});
export type Turn = z.output<typeof Turn>;
/** What says which turn is meant. */
export type TurnName = Pick<Turn, "problem" | "turn">;

const Next = z.discriminatedUnion("status", [
  Turn,
  z.looseObject({ status: z.literal("waiting") }),
  z.looseObject({ status: z.literal("done") }),
]);
type Next = z.output<typeof Next>;

const CallResult = z.discriminatedUnion("status", [
  z.looseObject({ status: z.literal("answered"), text: z.string(), ran: z.boolean() }),
  z.looseObject({ status: z.literal("ended"), how: z.string(), reason: z.string() }),
  z.looseObject({ status: z.literal("pending") }),
]);

const Left = z.looseObject({ status: z.string() });

/** What came of a call that has ended; `refused`: the gateway has not passed it on, and the range does not count it. */
export type CallEnd =
  | Exclude<z.output<typeof CallResult>, { status: "pending" }>
  | { readonly status: "refused"; readonly text: string };

/** A call of a tool. The same again, with the same id, is made once. */
export interface ToolCalled {
  readonly id: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly spent?: Spent | undefined;
}

/** The session of an experiment, over HTTP. Requests are sent again while no gateway answers. */
export interface SessionClient {
  readonly id: string;
  next(worker: string, waitSeconds: number, signal: AbortSignal): Promise<Next>;
  /** In no other turn than this one. What the gateway finds wrong with it is its answer. */
  call(turn: TurnName, call: ToolCalled, signal: AbortSignal): Promise<CallEnd>;
  /** `spent`: what no call has said yet. */
  leave(turn: TurnName, reason: string, spent: Spent | undefined, signal: AbortSignal): Promise<void>;
  heartbeat(signal: AbortSignal): Promise<void>;
  /** Sends a program's own request once, with the session's token. */
  pass(
    path: string,
    init: { readonly body: string; readonly headers: Record<string, string>; readonly signal: AbortSignal },
  ): Promise<Response>;
  close(): Promise<void>;
}

/** How long a gateway may be away, ms; one request, beyond what it waits for, ms; and between two tries, ms. */
const awayMs = 120_000;
const requestMs = 30_000;
const pauseMs = 500;
/** How long a call waits for its answer before it is asked for again, s. */
const callSeconds = 50;
/** The same of a problem that is left, s. */
const leaveSeconds = 10;

/** Opens a session for an experiment that names the agent. Throws what the gateway says, and `gateway-unreachable`. */
export async function openSession(
  access: GatewayAccess,
  wanted: { readonly agent: string; readonly experiment: string },
  signal: AbortSignal,
): Promise<SessionClient> {
  const send = (path: string, init: RequestInit): Promise<Response> =>
    fetch(`${access.url}${path}`, {
      ...init,
      redirect: "error",
      headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${access.token}` },
    });
  const post = async (
    path: string,
    body: object,
    waitSeconds: number,
    ended: AbortSignal,
  ): Promise<unknown> => {
    const until = performance.now() + awayMs;
    for (;;) {
      ended.throwIfAborted();
      const deadline = AbortSignal.any([ended, AbortSignal.timeout(waitSeconds * 1000 + requestMs)]);
      const init = { ...json(body), signal: deadline };
      const tried = await send(path, init)
        .then(async (reply) => ({ status: reply.status, body: (await reply.json()) as unknown }))
        .catch((thrown: unknown) => ({ status: 0, body: String(thrown) }));
      if (tried.status >= 200 && tried.status < 300) return tried.body;
      const isBusy = tried.status === 0 || tried.status === 429 || tried.status === 503;
      ended.throwIfAborted();
      if (!isBusy || performance.now() > until) throw refused(path, tried);
      await delay(pauseMs, undefined, { signal: ended });
    }
  };
  const opened = z.looseObject({ id: z.string() }).parse(await post("/v1/sessions", wanted, 0, signal));
  const at = `/v1/sessions/${opened.id}`;
  return {
    id: opened.id,
    next: async (worker, waitSeconds, ended) =>
      Next.parse(await post(`${at}/next`, { worker, waitSeconds }, waitSeconds, ended)),
    call: async ({ problem, turn }, call, ended) => {
      for (;;) {
        const path = `${at}/problems/${problem}/calls`;
        const body = { ...call, turn, waitSeconds: callSeconds };
        const result = await post(path, body, callSeconds, ended).then(
          (reply) => CallResult.parse(reply),
          endOfRefused,
        );
        if (result.status !== "pending") return result;
      }
    },
    leave: async ({ problem, turn }, reason, spent, ended) => {
      const body = { reason: reason.slice(0, 500), turn, ...(spent && isSpent(spent) && { spent }) };
      const until = performance.now() + awayMs;
      for (;;) {
        const given = { ...body, waitSeconds: leaveSeconds };
        const reply = await post(`${at}/problems/${problem}/leave`, given, leaveSeconds, ended).catch(
          endOfRefused,
        );
        // Pending: no remediator may have got it.
        if (Left.safeParse(reply).data?.status !== "pending" || performance.now() > until) return;
      }
    },
    heartbeat: async (ended) => void (await post(`${at}/heartbeat`, {}, 0, ended)),
    pass: (path, { body, headers, signal: ended }) =>
      send(path, { method: "POST", body, headers, signal: ended }),
    close: async () => {
      const init = { method: "DELETE", signal: AbortSignal.timeout(requestMs) };
      await send(at, init).catch(() => undefined);
    },
  };
}

/** What a program can do wrong ends nothing but its call. */
function endOfRefused(thrown: unknown): CallEnd {
  const { code, message } = AppError.from(thrown);
  // Within the problem's only program: only the range can have ended its turn.
  if (code === "turn-over")
    return { status: "ended", how: "over", reason: "the problem has another turn by now, or is over" };
  if (code === "invalid-request" || code === "conflict") return { status: "refused", text: message };
  throw thrown;
}

const json = (body: object): RequestInit => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "content-type": "application/json" },
});

const ErrorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

function refused(
  path: string,
  { status, body }: { readonly status: number; readonly body: unknown },
): AppError {
  if (status === 0)
    return retryable(
      "gateway-unreachable",
      `the gateway did not answer for ${awayMs / 1000} s: ${String(body)}`,
    );
  const said = ErrorBody.safeParse(body).data?.error;
  if (said && isErrorCode(said.code)) return new AppError(said.code, said.message);
  return terminal("internal", `the gateway answered ${path} with ${status}`);
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);
