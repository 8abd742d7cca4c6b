import { type CallUsage, type ChatMessage, type Exchange, sentOf } from "@microremed/contracts";
import { oneOf, terminal, withoutDetails } from "@microremed/core";
import { inThisRun, namesOfThisRun } from "./carry-over.ts";
import type { ChatClient, ChatReply } from "./chat.types.ts";
import { defaultSettings } from "./model-settings.ts";
import { type ModelEndpoint, type Models, plainEndpoint } from "./models.ts";

type AssistantMessage = Extract<ChatMessage, { role: "assistant" }>;
type RecordedAnswer = AssistantMessage & { readonly usage: CallUsage; readonly exchange: Exchange };

/** The conversation of one episode as it was recorded. */
export interface Recording {
  readonly model: string;
  /** The episode's number in its experiment. */
  readonly index: number;
  readonly conversation: readonly ChatMessage[];
}

/** Recorded models: no provider is called, and nothing is paid. */
export interface Cassette extends Models {
  /** The model in the episode of that number. An answer that was not recorded is a terminal `not-recorded`. */
  connect(name: string, index: number): ChatClient;
}

/** Models that answer as they did in the recordings. */
export function createCassette(recordings: readonly Recording[]): Cassette {
  const byModel = Map.groupBy(
    recordings.flatMap(byThread).filter(({ conversation }) => conversation.some(isRecordedAnswer)),
    ({ model }) => model,
  );
  const names = [...byModel.keys()];
  const recordingsOf = (name: string): readonly Recording[] => {
    const found = byModel.get(name);
    if (found) return found;
    const message = `no answer of the model ${JSON.stringify(name)} is on the cassette; recorded: ${oneOf(names) || "none"}`;
    throw terminal("unknown-model", message, { known: names });
  };
  return {
    names,
    wildcard: false,
    limitsOf: () => ({}),
    resolve: (name) => endpointOf(name, recordingsOf(name)),
    connect: (name, index) => ({
      model: name,
      complete: async ({ messages }) => replyFrom(recordedAnswer(recordingsOf(name), index, messages)),
    }),
  };
}

/** A recording for each of its conversations: what is beside the main one was asked for by itself. */
function byThread(recording: Recording): Recording[] {
  const threads = new Set(recording.conversation.map(({ thread }) => thread));
  return [...threads].map((thread) => ({
    ...recording,
    conversation: sentOf(recording.conversation, thread),
  }));
}

/** The endpoint as it was asked when it was recorded, without any key. */
function endpointOf(name: string, recordings: readonly Recording[]): ModelEndpoint {
  const answer = recordings.flatMap(({ conversation }) => conversation.filter(isRecordedAnswer))[0];
  if (!answer) throw terminal("internal", `the recordings of ${name} hold no answer`);
  const { model, endpoint, settings } = answer.exchange;
  const { temperature, max_tokens, max_completion_tokens = max_tokens } = settings;
  return {
    ...plainEndpoint,
    name,
    model,
    baseUrl: endpoint,
    apiKey: null,
    ruleBased: name.startsWith("reference/"),
    temperature: typeof temperature === "number" ? temperature : null,
    maxTokens: typeof max_completion_tokens === "number" ? max_completion_tokens : defaultSettings.maxTokens,
    // What an answer cost is recorded with it; prices say here only that money can be counted.
    prices: answer.usage.cost === null ? null : { input: 0, output: 0 },
  };
}

/**
 * The answer that was given at the same place: in the recording that began alike (generated names and numbers aside)
 * and agrees the longest with what has been said since; of several, the one of the same episode number. What its cluster had
 * generated, such as names of pods, has this run's names in it.
 */
function recordedAnswer(
  recordings: readonly Recording[],
  index: number,
  messages: readonly ChatMessage[],
): RecordedAnswer {
  const wanted = messages.map(wordsOf);
  const opening = openingLength(messages);
  const place = messages.filter(isAnswer).length;
  const alike = recordings
    .map((recording) => ({ recording, agreement: agreementOf(recording.conversation, wanted) }))
    .filter(({ agreement }) => agreement >= opening)
    .sort(
      (a, b) =>
        b.agreement - a.agreement ||
        Number(b.recording.index === index) - Number(a.recording.index === index) ||
        a.recording.index - b.recording.index,
    );
  const [best] = alike;
  const answer = best?.recording.conversation.filter(isAnswer)[place];
  if (best && answer && isRecordedAnswer(answer)) return withNames(answer, best.recording, messages);
  throw terminal("not-recorded", notRecorded(best !== undefined, place), { place });
}

function withNames(
  answer: RecordedAnswer,
  { conversation }: Recording,
  messages: readonly ChatMessage[],
): RecordedAnswer {
  const names = namesOfThisRun(messages.map(({ content }, i) => [conversation[i]?.content ?? "", content]));
  const toolCalls = answer.toolCalls.map((call) => ({
    ...call,
    arguments: inThisRun(call.arguments, names),
  }));
  return { ...answer, content: inThisRun(answer.content, names), toolCalls };
}

function notRecorded(began: boolean, place: number): string {
  return began
    ? `the recording has no model answer number ${place + 1}: this run has come further than the recorded one`
    : "no recording begins like this conversation; record it again by a run with the model itself";
}

/** How many messages at the start of both are the same except for details of the run. */
function agreementOf(recorded: readonly ChatMessage[], wanted: readonly string[]): number {
  const differs = wanted.findIndex((words, i) => {
    const message = recorded[i];
    return message === undefined || wordsOf(message) !== words;
  });
  return differs < 0 ? wanted.length : differs;
}

function openingLength(messages: readonly ChatMessage[]): number {
  const first = messages.findIndex(isAnswer);
  return first < 0 ? messages.length : first;
}

function wordsOf(message: ChatMessage): string {
  const calls =
    message.role === "assistant" ? message.toolCalls.map(({ name, arguments: given }) => name + given) : [];
  return withoutDetails([message.role, message.content, ...calls].join("\n"));
}

function isAnswer(message: ChatMessage): message is AssistantMessage {
  return message.role === "assistant";
}

function isRecordedAnswer(message: ChatMessage): message is RecordedAnswer {
  return isAnswer(message) && message.usage !== undefined && message.exchange !== undefined;
}

function replyFrom({ content, toolCalls, reasoning, usage, exchange }: RecordedAnswer): ChatReply {
  // There was no wait; everything else of the exchange is as it was.
  const replayed: Exchange = { ...exchange, milliseconds: 0, waitedMs: 0, failedTries: [] };
  return { content, toolCalls, ...(reasoning !== undefined && { reasoning }), usage, exchange: replayed };
}
