import type { AgentContext, Called, Solution } from "@microremed/catalogue";
import type { ChatMessage, ToolCall } from "@microremed/contracts";
import { clipMiddle, terminal } from "@microremed/core";
import { AgentMistake } from "./agent-mistake.ts";
import { acknowledge, toolMessage } from "./answer-call.ts";
import { calledFrom } from "./called-from.ts";
import { type AsJson, argumentsText, reasonOf } from "./from-agent.ts";
import { observe } from "./observe.ts";
import { endNamed, type OfferedEnd } from "./offer.ts";
import { type Answer, readProgress } from "./progress.ts";
import { handedInAs } from "./solution.ts";
import { ranOut } from "./spent.ts";
import { openTurn, type Turn } from "./turn.ts";
import type { TurnContext } from "./turn-context.ts";
import { TurnOver } from "./turn-over.ts";

/** What an agent's own code does in its turn. */
export type ByCode = Pick<AgentContext, "call" | "act" | "submit" | "stop">;

/** Calls of one turn that are answered without running anything before the turn is ended. */
const maxRefused = 50;

/**
 * Calls of tools by an agent's own code, in a turn that begins with `opening`. They are said as a model's calls are, so
 * that they count, are recorded and are bounded alike. A turn that is delivered again reads the answers of finished calls
 * from the conversation: the code must call the same again.
 */
export function byCode(
  context: TurnContext,
  { opening, thread }: { readonly opening: readonly ChatMessage[]; readonly thread?: string },
): ByCode {
  let opened: Promise<Turn> | undefined;
  const turn = (): Promise<Turn> => {
    opened ??= openTurn(context, opening, thread);
    return opened;
  };
  let made = 0;
  let refused = 0;
  // One after the other, in the order in which the code makes them, until the turn ends.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(
    name: string,
    step: (turn: Turn, number: number) => Promise<T>,
    refused: (reason: string) => T,
  ): Promise<T> => {
    const { isOver, refuse, unlessOver } = context.end;
    if (isOver()) return refuse(name).then(refused);
    const number = made++;
    const next = last.then(async () => {
      if (isOver()) await refuse(name);
      context.signal.throwIfAborted();
      return step(await turn(), number);
    });
    last = next.catch(() => undefined);
    return unlessOver(next);
  };
  const nothing = (reason: string): Solution => ({ status: "nothing", reason });

  const call: ByCode["call"] = async (tool, given = {}) => {
    const name = observerNamed(tool, context);
    const args = argumentsText(given);
    const step = async (turn: Turn, number: number): Promise<Called> => {
      const message = await makeCall(turn, { number, name, args }, context);
      const called = calledFrom(message);
      if (!called.ran && ++refused > maxRefused)
        throw new TurnOver({
          status: "nothing",
          reason: `${refused} calls were not run, the last: ${called.text}`,
        });
      return called;
    };
    return inTurn(name, step, (text) => ({ ran: false, exitCode: null, text }));
  };
  const end = async (
    kind: OfferedEnd["tool"]["kind"],
    tool: string | undefined,
    given: unknown,
  ): Promise<Solution> => {
    const found = context.offer.ends.find(
      (one) => one.tool.kind === kind && isNamed(one, tool ?? one.tool.name),
    );
    if (found === undefined) throw new AgentMistake(wrongEnd(tool, context));
    const { name } = found.spec;
    const args = argumentsText(given);
    return inTurn(name, (turn, number) => handIn(turn, { number, name, args }, context), nothing);
  };
  return {
    call,
    act: (tool, args) => end("act", tool, args),
    submit: (answer = {}) => end("submit", undefined, answer),
    stop: (reason) =>
      inTurn<Solution>(
        "stop",
        async () => ({ status: context.mayBeDone ? "done" : "nothing", reason: reasonOf(reason) }),
        nothing,
      ),
  };
}

/** Most characters of a call in a reason. */
const maxShown = 200;

interface Call {
  /** From 0, within the turn. */
  readonly number: number;
  /** As models know the tool. */
  readonly name: string;
  readonly args: AsJson;
}

const isNamed = (
  { tool, spec }: Pick<OfferedEnd, "spec"> & { readonly tool: { readonly name: string } },
  name: string,
) => tool.name === name || spec.name === name;

function observerNamed(tool: string, { offer }: TurnContext): string {
  const found = offer.observers.find((one) => isNamed(one, tool));
  if (found) return found.spec.name;
  const known = offer.observers.map((one) => one.tool.name).join(", ") || "none";
  throw new AgentMistake(`it calls the tool ${named(tool)}, which is not among its \`tools\`: ${known}`);
}

/** What the turn ends with instead, and how. */
function wrongEnd(tool: unknown, { offer }: TurnContext): string {
  const ways = offer.ends.map(({ tool: { kind, name, handsIn } }) =>
    kind === "act" ? `act("${name}", ...)` : `submit(...) (${handsIn.noun})`,
  );
  return `this task does not end with ${tool === undefined ? "an answer" : named(tool)}: end its turns with ${ways.join(" or ")}`;
}

const named = (tool: unknown): string =>
  typeof tool === "string" ? JSON.stringify(tool.slice(0, 100)) : typeof tool;

/** Makes a call, or finds the one that was made; its answer. */
async function makeCall(turn: Turn, call: Call, context: TurnContext) {
  await sayOnce(turn, call, context);
  const answer = () => answerTo(turn.said(), call.number);
  if (answer() === undefined) {
    const action = await observe(turn, readProgress(turn.said(), context.offer), context);
    // The executor does it; then the turn is delivered again and comes here with what came of it.
    if (action) throw new TurnOver(action);
  }
  const message = answer();
  if (message === undefined) throw terminal("internal", "a call of the agent's code was not answered");
  return message;
}

async function handIn(turn: Turn, call: Call, context: TurnContext): Promise<Solution> {
  await sayOnce(turn, call, context);
  const { handedIn, pending } = readProgress(turn.said(), context.offer);
  if (handedIn === undefined) {
    const reason = wrongCall(call, context);
    if (pending.length > 0) await turn.say(...pending.map((one) => toolMessage(one, reason)));
    return { status: "nothing", reason: `${call.name} was called wrongly. ${reason}` };
  }
  await acknowledge(turn, pending, context.offer, handedIn.end);
  return handedInAs(handedIn, "tool-call", context);
}

function wrongCall(call: Call, { offer }: TurnContext): string {
  const read = endNamed(offer, call.name)?.read(toolCall(call));
  const why = read && "problem" in read ? read.problem : "";
  return "problem" in call.args ? `What was given ${call.args.problem}. ${why}` : why;
}

const toolCall = ({ number, name, args }: Call): ToolCall => ({
  id: `c${number + 1}`,
  name,
  arguments: "text" in args ? args.text : `(what was given ${args.problem})`,
});

/** Says a call unless an earlier delivery of the turn has said it. */
async function sayOnce(turn: Turn, call: Call, { budgets }: TurnContext): Promise<void> {
  const said = callsIn(turn.said())[call.number];
  const wantedCall = toolCall(call);
  if (said === undefined) {
    const over = ranOut(turn.spent(), budgets);
    if (over) throw new TurnOver({ status: "nothing", ...over });
    return turn.say({ role: "assistant", content: "", toolCalls: [wantedCall] });
  }
  const [before] = said.toolCalls;
  if (before?.name === wantedCall.name && before.arguments === wantedCall.arguments) return;
  const now = `${wantedCall.name} ${clipMiddle(wantedCall.arguments, maxShown)}`;
  const then = before && `${before.name} ${clipMiddle(before.arguments, maxShown)}`;
  throw new TurnOver({
    status: "nothing",
    reason: `the agent's code does not repeat itself: call ${call.number + 1} of its turn was ${then} and is now ${now}; what it does may depend on its context and the answers of its calls alone`,
  });
}

const callsIn = (said: readonly ChatMessage[]): Answer[] =>
  said.filter(({ role }) => role === "assistant") as Answer[];

function answerTo(said: readonly ChatMessage[], number: number) {
  const id = `c${number + 1}`;
  return said.filter((message) => message.role === "tool").find(({ toolCallId }) => toolCallId === id);
}
