import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { BoundedArguments, type ErrorCode, Spent } from "@microremed/contracts";
import { parseJson } from "@microremed/core";
import { z } from "zod";
import { type CountedCalls, createCountedCalls, type Fate, uncountedCalls } from "./counted-calls.ts";
import { readBody, refuse } from "./door-http.ts";
import type { ModelProxy } from "./model-proxy.ts";
import type { CallEnd, SessionClient, ToolCalled, Turn } from "./session-client.ts";

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

/** What is behind the door. */
export interface DoorOptions {
  readonly session: SessionClient;
  readonly worker: string;
  readonly turn: Turn;
  /** Undefined: the program may call no model. */
  readonly model: ModelProxy | undefined;
  readonly signal: AbortSignal;
}

/** Bytes of a request to the session, and of an answer. */
const mostBytes = 2 ** 20;
const mostAnswerBytes = 65_536;
/** As long as a call of a tool may take, ms. */
const callMs = 400_000;
/** Requests at once. */
const mostAtOnce = 64;

const Message = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({ name: z.string().optional(), _meta: z.looseObject({}).optional() }).optional(),
});
type Message = z.output<typeof Message>;

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

type Counted = Pick<CountedCalls, "settle" | "make"> & Partial<CountedCalls>;

function countedOf(
  { model, session, turn }: DoorOptions,
  over: AbortController,
  signal: AbortSignal,
): Counted {
  if (!model) return uncountedCalls();
  return createCountedCalls(model, async (call) => {
    const result = await session.call(turn, call, signal);
    if (result.status === "ended") over.abort();
    return fateOf(result);
  });
}

function fateOf(result: CallEnd): Fate {
  if (result.status === "refused") return "refused";
  return result.status === "ended" && result.how === "over" ? "refused" : "taken";
}

interface State {
  readonly over: AbortController;
  readonly signal: AbortSignal;
  /** What is passed on goes one after the other: nothing is under way when the turn ends. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly counted: Counted;
  answer: unknown;
  answerProblem: string | undefined;
  calls: number;
  prefix: string;
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
      return mcp(options, state, request, response);
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
    if (state.over.signal.aborted) return refuse(response, 409, overText);
    state.calls++;
    const send = (made: ToolCalled): Promise<Fate> => passCall(session, turn, made, state, response);
    await state.counted.make(asked, send, (fate) => fate);
  });
}

const AskedCall = z.looseObject({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});

/** Says in the saved episode which problem of the session it is, and so which log. */
const newCallId = ({ problem }: Turn): string => `${problem}-${randomUUID()}`;

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
  const { status, how, error } = Answered.safeParse(parseJson(answered)).data ?? {};
  if (status === "ended" || error?.code === turnOver) state.over.abort();
  response.writeHead(reply.status, { "content-type": "application/json" }).end(answered);
  if (reply.status >= 400 && reply.status < 500) return "refused";
  if (status === "ended") return how === "over" ? "refused" : "taken";
  // While it is pending, no remediator may have got it.
  return status === "answered" ? "taken" : "unknown";
}

const Answered = z.looseObject({
  status: z.string().optional(),
  how: z.string().optional(),
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
  const text = result.status === "ended" ? `The turn is over: ${result.reason}\n` : result.text;
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

const doneText = "No problem is left. There is nothing more to do.";
const problemText = ({ words, attempt, limits }: Turn): string =>
  `${words}\n\nAttempt ${attempt}, with the limits ${JSON.stringify(limits)}. Call submit to end it.`;
const overText = "The turn is over. There is nothing more to do.";

/** Calls a tool of the turn's own problem, unless the turn is over. */
function callTool(
  session: SessionClient,
  turn: Turn,
  state: State,
  {
    tool,
    args,
    said,
  }: { readonly tool: string; readonly args: Readonly<Record<string, unknown>>; readonly said?: Spent },
): Promise<CallEnd> {
  return state.inTurn(async () => {
    await state.counted.settle();
    if (state.over.signal.aborted) return { status: "ended", how: "over", reason: overText };
    state.calls++;
    const asked = { id: newCallId(turn), tool, arguments: args, spent: said };
    const send = (made: ToolCalled): Promise<CallEnd> => session.call(turn, made, state.signal);
    const result = await state.counted.make(asked, send, fateOf);
    if (result.status === "ended") state.over.abort();
    return result;
  });
}

/**
 * A message of MCP. Calls are made in the turn's own problem; what else an agent asks for is the gateway's to answer, for the
 * session's worker, as long as that is in this turn.
 */
async function mcp(
  options: DoorOptions,
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const message = Message.safeParse(parseJson((await readBody(request, mostBytes)) ?? "")).data;
  if (!message) return refuse(response, 400, "a message of MCP is one JSON object, at most 1 MiB");
  if (message.method === "tools/call") return callOverMcp(options, state, message, response);
  await state.inTurn(async () => {
    const calls = !callsNothing.test(message.method ?? "");
    if (calls) await state.counted.settle();
    if (!state.over.signal.aborted && calls) return passCalling(options, state, message, request, response);
    if (!state.over.signal.aborted)
      return void (await passMessage(options, state, message, request, response));
    if (message.id === undefined) return send(response, 202, {});
    const isPing = message.method === "ping";
    const said = isPing ? { result: {} } : { error: { code: -32_000, message: overText } };
    send(response, 200, { jsonrpc: "2.0", id: message.id, ...said });
  });
}

/** Messages that call no tool; any other, such as the reading of a resource, counts as a call. */
const callsNothing =
  /^(|initialize|ping|notifications\/.*|tools\/list|prompts\/(list|get)|resources\/(list|templates\/list))$/;

async function passCalling(
  options: DoorOptions,
  state: State,
  message: Message,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  state.calls++;
  const send = (spent?: Spent): Promise<string> => {
    const _meta = { ...message.params?._meta, ...(spent && { [spentMeta]: spent }) };
    return passMessage(
      options,
      state,
      { ...message, params: { ...message.params, _meta } },
      request,
      response,
    );
  };
  await (state.counted.carry?.(send, isTaken) ?? send());
}

const spentMeta = "microremed/spent";

/** Whether a tool has answered, as the gateway says: in JSON or in events. */
function isTaken(answered: string): Fate {
  const texts = answered.split("\n").map((line) => line.replace(/^data: ?/, ""));
  const replies = texts.map((text) => Reply.safeParse(parseJson(text)).data);
  return replies.some((one) => one?.result || one?.error?.data?.answered) ? "taken" : "refused";
}

const Reply = z.looseObject({
  result: z.looseObject({}).optional(),
  error: z.looseObject({ data: z.looseObject({ answered: z.boolean().optional() }).optional() }).optional(),
});

async function callOverMcp(
  { session, turn }: DoorOptions,
  state: State,
  { id, params }: Message,
  response: ServerResponse,
): Promise<void> {
  const answerWith = (text: string, isError: boolean): void =>
    send(response, 200, { jsonrpc: "2.0", id, result: { content: [{ type: "text", text }], isError } });
  const { name: tool = "" } = params ?? {};
  if (tool === "next_problem")
    return answerWith(state.over.signal.aborted ? doneText : problemText(turn), false);
  const bounded = BoundedArguments.safeParse(params?.["arguments"] ?? {});
  if (!bounded.success) return answerWith(z.prettifyError(bounded.error), true);
  const said = Spent.safeParse(params?._meta?.[spentMeta]).data;
  const result = await callTool(session, turn, state, {
    tool,
    args: bounded.data,
    ...(said && { said }),
  });
  if (result.status === "ended")
    answerWith(result.how === "submitted" ? "It was submitted." : overText, false);
  else answerWith(result.text, result.status === "refused" || !result.ran);
}

/** Returns what was answered. */
async function passMessage(
  { session, worker, turn }: DoorOptions,
  state: State,
  message: Message,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<string> {
  const passed = ["accept", "mcp-session-id", "mcp-protocol-version"].flatMap((name) => {
    const value = request.headers[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  const reply = await session.pass(`/mcp?session=${session.id}&worker=${worker}&turn=${turn.turn}`, {
    body: JSON.stringify(message),
    headers: { ...Object.fromEntries(passed), "content-type": "application/json" },
    signal: AbortSignal.any([state.signal, AbortSignal.timeout(callMs)]),
  });
  const answered = await reply.text();
  const headers = ["content-type", "mcp-session-id"].flatMap((name) => {
    const value = reply.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  response.writeHead(reply.status, Object.fromEntries(headers)).end(answered);
  return answered;
}

/** Runs one work after the other. */
function oneByOne(): State["inTurn"] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
