import type { IncomingMessage, ServerResponse } from "node:http";
import { BoundedArguments, Spent, wrongLines } from "@microremed/contracts";
import { parseJson } from "@microremed/core";
import { z } from "zod";
import type { Fate } from "./counted-calls.ts";
import { readBody, refuse, send } from "./door-http.ts";
import { callMs, callTool, type DoorOptions, mostBytes, overText, type State } from "./door-turn.ts";
import type { Turn } from "./session-client.ts";

const Message = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({ name: z.string().optional(), _meta: z.looseObject({}).optional() }).optional(),
});
type Message = z.output<typeof Message>;

const doneText = "No problem is left. There is nothing more to do.";
const problemText = ({ words, attempt, limits }: Turn): string =>
  `${words}\n\nAttempt ${attempt}, with the limits ${JSON.stringify(limits)}. ${limits.submitIsFinal ? "What you submit is final. " : ""}Call submit to end it.`;

/**
 * A message of MCP. Calls are made in the turn's own problem; what else an agent asks for is the gateway's to answer, for the
 * session's worker, as long as that is in this turn.
 */
export async function answerMcp(
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
    const said = isPing ? { result: {} } : { error: { code: -32_000, message: overText(state) } };
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
  if (!bounded.success) return answerWith(wrongLines(bounded.error), true);
  const said = Spent.safeParse(params?._meta?.[spentMeta]).data;
  const result = await callTool(session, turn, state, {
    tool,
    args: bounded.data,
    ...(said && { said }),
  });
  if (result.status === "ended")
    answerWith(result.how === "submitted" ? "It was submitted." : overText(state), false);
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
