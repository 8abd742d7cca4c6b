import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "@microremed/contracts";
import { parseJson } from "@microremed/core";
import { z } from "zod";
import { createCountedCalls, type Fate, uncountedCalls } from "./counted-calls.ts";
import { readBody, refuse, send } from "./door-http.ts";
import { answerMcp } from "./door-mcp.ts";
import {
  type Counted,
  callMs,
  callTool,
  type DoorOptions,
  fateOf,
  mostBytes,
  newCallId,
  oneByOne,
  overText,
  type State,
} from "./door-turn.ts";
import type { SessionClient, ToolCalled, Turn } from "./session-client.ts";

/** The only address that a program reaches: its turn of the session, and the model that it may call. */
export interface Door extends Disposable {
  /** Takes a connection of the program's. */
  accept(connection: Duplex): void;
  /** What every path begins with, `/<secret>`: set before the program starts. */
  prefix: string;
  /** Aborted when a call has ended the turn. */
  readonly turnEnded: AbortSignal;
  /** What the program has written to the file of its answer; undefined: nothing, or no JSON. */
  readonly answer: unknown;
  /** Why what it has written there is no answer; undefined: it is one, or nothing was written. */
  readonly answerProblem: string | undefined;
  /** Calls of tools that were passed on. */
  readonly calls: number;
  /** Finds out whether the range has taken the last call, so that what it said was spent is counted once. Never throws. */
  settle(): Promise<void>;
}

/** Bytes of the file of an answer. */
const mostAnswerBytes = 65_536;
/** Requests at once. */
const mostAtOnce = 64;

/**
 * Opens the door of one turn. It ends with the turn, and every call is one in the turn's own problem: a program cannot go on to a problem
 * that it was not started for.
 */
export function openDoor(options: DoorOptions): Door {
  const over = new AbortController();
  const closing = new AbortController();
  const signal = AbortSignal.any([options.signal, closing.signal]);
  const state: State = {
    ...{ over, signal, inTurn: oneByOne(), calls: 0, prefix: "" },
    ...{ answer: undefined, answerProblem: undefined },
    counted: countedOf(options, over, signal),
  };
  let underWay = 0;
  const server = createServer({ maxHeaderSize: 32 * 1024 }, (request, response) => {
    if (underWay >= mostAtOnce) return refuse(response, 429, `${mostAtOnce} requests are under way already`);
    underWay++;
    answer(options, state, request, response)
      .catch(() =>
        response.headersSent ? response.destroy() : refuse(response, 502, "the range did not answer"),
      )
      .finally(() => {
        underWay--;
      });
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  return {
    accept: (connection) => void server.emit("connection", connection),
    get prefix() {
      return state.prefix;
    },
    set prefix(prefix) {
      state.prefix = prefix;
    },
    turnEnded: over.signal,
    get answer() {
      return state.answer;
    },
    get answerProblem() {
      return state.answerProblem;
    },
    get calls() {
      return state.calls;
    },
    settle: () => state.inTurn(() => state.counted.settle()),
    [Symbol.dispose]: () => closing.abort(),
  };
}

function countedOf(
  { model, session, turn }: DoorOptions,
  over: AbortController,
  signal: AbortSignal,
): Counted {
  if (!model) return uncountedCalls();
  return createCountedCalls(model, async (call) => {
    const result = await session.call(turn, call, signal);
    if (result.status === "ended") over.abort(result.reason);
    return fateOf(result);
  });
}

async function answer(
  options: DoorOptions,
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { session, turn, model } = options;
  const [path = ""] = (request.url ?? "").split("?");
  if (state.prefix === "" || !path.startsWith(`${state.prefix}/`))
    return refuse(response, 404, "there is nothing here");
  const asked = path.slice(state.prefix.length);
  const [, modelPath] = /^\/model\/v1(?:beta)?\/(.+)$/.exec(asked) ?? [];
  if (modelPath !== undefined) {
    if (!model)
      return refuse(response, 404, "this run has no model: --call-model names one that programs may call");
    if (request.method !== "POST") return refuse(response, 405, "only calls of the model are passed on");
    return model.answer(modelPath, request, response, state.signal);
  }
  if (asked === "/mcp" && request.method === "DELETE") return send(response, 200, {});
  if (request.method === "GET" && asked === "/problem") return send(response, 200, turn);
  if (request.method !== "POST") return refuse(response, 405, "this is asked for with POST");
  const at = `/v1/sessions/${session.id}`;
  switch (asked) {
    case "/shell":
      return shell(options, state, request, response);
    case "/answer":
      return keepAnswer(state, request, response);
    case "/mcp":
      return answerMcp(options, state, request, response);
    case `${at}/next`:
      return send(response, 200, state.over.signal.aborted ? { status: "done", episodes: 1, done: 1 } : turn);
    case `${at}/heartbeat`:
      return send(response, 200, { turns: state.over.signal.aborted ? 0 : 1 });
    case `${at}/problems/${turn.problem}/calls`:
      return call(options, state, request, response);
    default:
      return refuse(
        response,
        404,
        "a program has its own problem of its own session, and nothing else of the range",
      );
  }
}

/** A call of a tool as the gateway takes it. */
async function call(
  { session, turn }: DoorOptions,
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = await readBody(request, mostBytes);
  const body = AskedCall.safeParse(parseJson(text ?? "")).data;
  if (!body) return refuse(response, 400, "a call is a JSON object with a tool and arguments, at most 1 MiB");
  const id = typeof body["id"] === "string" ? body["id"] : newCallId(turn);
  // What the gateway finds wrong with the program's own word is its to say.
  const asked = { ...body, id, arguments: body.arguments ?? {}, turn: turn.turn } as ToolCalled;
  await state.inTurn(async () => {
    await state.counted.settle(asked);
    if (state.over.signal.aborted) return refuse(response, 409, overText(state));
    state.calls++;
    const send = (made: ToolCalled): Promise<Fate> => passCall(session, turn, made, state, response);
    await state.counted.make(asked, send, (fate) => fate);
  });
}

const AskedCall = z.looseObject({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});

async function passCall(
  session: SessionClient,
  turn: Turn,
  body: ToolCalled,
  state: State,
  response: ServerResponse,
): Promise<Fate> {
  const reply = await session.pass(`/v1/sessions/${session.id}/problems/${turn.problem}/calls`, {
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
    signal: AbortSignal.any([state.signal, AbortSignal.timeout(callMs)]),
  });
  const answered = await reply.text();
  const { status, how, reason, error } = Answered.safeParse(parseJson(answered)).data ?? {};
  if (status === "ended" || error?.code === turnOver) state.over.abort(reason);
  response.writeHead(reply.status, { "content-type": "application/json" }).end(answered);
  if (reply.status >= 400 && reply.status < 500) return "refused";
  if (status === "ended") return how === "over" ? "refused" : "taken";
  // While it is pending, no remediator may have got it.
  return status === "answered" ? "taken" : "unknown";
}

const Answered = z.looseObject({
  status: z.string().optional(),
  how: z.string().optional(),
  reason: z.string().optional(),
  error: z.looseObject({ code: z.string() }).optional(),
});
const turnOver: ErrorCode = "turn-over";

/** One command for the range's shell: its output, and its exit code as a header. */
async function shell(
  { session, turn }: DoorOptions,
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const command = await readBody(request, mostBytes);
  if (command === undefined) return refuse(response, 413, "the command is too long");
  const result = await callTool(session, turn, state, { tool: "exec_shell", args: { command } });
  const text = result.status === "ended" ? `${overText(state)}\n` : result.text;
  const [, code, rest] = /^exit code (\d+)\n?([\s\S]*)$/.exec(text) ?? [];
  const ends = rest ?? text;
  response
    .writeHead(200, {
      "content-type": "text/plain; charset=utf-8",
      "x-exit-code": code ?? "1",
      connection: "close",
    })
    .end(ends === "" || ends.endsWith("\n") ? ends : `${ends}\n`);
}

async function keepAnswer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await readBody(request, mostAnswerBytes);
  state.answer = parseJson(text ?? "");
  state.answerProblem =
    state.answer === undefined ? "the file of the answer is no JSON of at most 64 KiB" : undefined;
  if (state.answerProblem !== undefined) return refuse(response, 400, state.answerProblem);
  response.writeHead(200, { "x-exit-code": "0", connection: "close" }).end();
}
