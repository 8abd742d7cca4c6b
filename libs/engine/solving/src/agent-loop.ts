import type { LoopOptions, Solution } from "@microremed/catalogue";
import type { ChatMessage } from "@microremed/contracts";
import { clipMiddle } from "@microremed/core";
import { AgentMistake } from "./agent-mistake.ts";
import { acknowledge } from "./answer-call.ts";
import { writtenIn } from "./handed-in.ts";
import { whyNothing } from "./nothing-handed-in.ts";
import { observe } from "./observe.ts";
import { specsOf } from "./offer.ts";
import { type Answer, type Progress, readProgress } from "./progress.ts";
import { handedInAs } from "./solution.ts";
import { openTurn, type Turn } from "./turn.ts";
import type { TurnContext } from "./turn-context.ts";
import { reminder, wanted } from "./words.ts";

/** Model calls of an attempt beyond its probes: the end, a reminder and two answers with nothing usable in them. */
const spareCalls = 4;
/** A model that hands nothing in is reminded once; its next answer is taken as it is. */
const maxReminders = 1;
/** As the agent's code has it: what it resolves to is not known. */
type AfterObservation = (
  ...args: Parameters<NonNullable<LoopOptions["afterObservation"]>>
) => Promise<unknown>;

/** Most characters of the words that an agent adds to what was observed. */
const maxAppended = 65_536;
/** Most characters of the words in which a model says that nothing more is to be done. */
const maxReason = 500;

/**
 * A turn of an agent: it observes as often as it likes and may, until it hands something in. Every tool call of every
 * answer is answered by a tool message of its own.
 */
export async function runLoop(
  context: TurnContext,
  opening: readonly ChatMessage[],
  afterObservation?: AfterObservation,
): Promise<Solution> {
  const turn = await openTurn(context, opening);
  for (;;) {
    context.signal.throwIfAborted();
    const progress = readProgress(turn.said(), context.offer);
    if (afterObservation && isObserved(progress)) await append(turn, afterObservation);
    const solution = await takeStep(turn, progress, context);
    if (solution) return solution;
  }
}

/** Whether the model is asked next, right after a tool's answer. */
const isObserved = ({ pending, handedIn, last }: Progress): boolean =>
  pending.length === 0 && handedIn === undefined && last?.role === "tool";

/** Adds words of the agent to the answers that have just come. */
async function append(turn: Turn, text: AfterObservation): Promise<void> {
  const content = wordsIn(await text(turn.said()));
  if (content !== undefined) await turn.say({ role: "user", content, appended: true });
}

function wordsIn(content: unknown): string | undefined {
  if (content === undefined) return undefined;
  if (typeof content === "string") return clipMiddle(content, maxAppended);
  throw new AgentMistake(`afterObservation must resolve to words or undefined, not to ${typeof content}`);
}

/** Does the one thing that comes next; a solution ends the turn. Every step but the last makes the turn longer. */
async function takeStep(turn: Turn, progress: Progress, context: TurnContext): Promise<Solution | undefined> {
  const { pending, handedIn, silences, calls, lastAnswer, last } = progress;
  const { offer, maxProbes } = context;

  if (handedIn !== undefined) {
    await acknowledge(turn, pending, offer, handedIn.end);
    return handedInAs(handedIn, "tool-call", context);
  }
  if (pending.length > 0) {
    return observe(turn, progress, context);
  }
  if (lastAnswer && silences > 0 && saysDone(lastAnswer, context)) {
    return { status: "done", reason: clipMiddle(lastAnswer.content.trim(), maxReason) };
  }
  if (lastAnswer && silences > maxReminders) {
    const written = writtenIn(lastAnswer, offer);
    if (written !== undefined) return handedInAs(written, "text", context);
    return { status: "nothing", reason: `${whyNothing(lastAnswer, offer)}, twice` };
  }
  if (calls >= Math.min(context.maxCalls, maxProbes + spareCalls)) {
    return { status: "nothing", reason: `no ${wanted(offer)} within ${calls} model calls` };
  }
  if (last === lastAnswer) await turn.say({ role: "user", content: reminder(offer) });
  const ranOut = await turn.ask(specsOf(offer, { observing: maxProbes > 0 }));
  return ranOut && { status: "nothing", ...ranOut };
}

/** Whether the answer says that nothing more is to be done: words alone, where no verdict says so. */
function saysDone(answer: Answer, { mayBeDone, offer }: TurnContext): boolean {
  return mayBeDone && answer.content.trim() !== "" && writtenIn(answer, offer) === undefined;
}
