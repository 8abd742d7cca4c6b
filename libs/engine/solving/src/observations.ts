import {
  type ChatMessage,
  mostObservations,
  type Observation,
  observedCharacters,
  type ToolCall,
} from "@microremed/contracts";
import { parseJson } from "@microremed/core";
import { endNamed, type Offer } from "./offer.ts";
import type { Answer } from "./progress.ts";

type ToolMessage = Extract<ChatMessage, { role: "tool" }>;

/** Bytes of a turn's observations as JSON: they travel in one message with what the turn hands in. */
const mostBytes = 200_000;

/**
 * The calls of a turn that ended nothing, in order, as steps: what was asked, what came back, what it cost. Of very many
 * the latest, of long texts the beginning: all of it is in the conversation.
 */
export function observationsIn(said: readonly ChatMessage[], offer: Offer): Observation[] {
  const all = said.flatMap((message, index) => {
    if (message.role !== "assistant") return [];
    return observationsOf(message, answersTo(said.slice(index + 1)), offer);
  });
  return latest(all.slice(-mostObservations));
}

function latest(all: readonly Observation[]): Observation[] {
  let bytes = 0;
  const tooOld = all.findLastIndex((one) => {
    bytes += Buffer.byteLength(JSON.stringify(one));
    return bytes > mostBytes;
  });
  return all.slice(tooOld + 1);
}

/** The tool messages that come before the next answer. */
function answersTo(since: readonly ChatMessage[]): ToolMessage[] {
  const next = since.findIndex(({ role }) => role === "assistant");
  return since.slice(0, next < 0 ? undefined : next).filter((message) => message.role === "tool");
}

function observationsOf(answer: Answer, results: readonly ToolMessage[], offer: Offer): Observation[] {
  const { exchange } = answer;
  let startedAt = exchange ? exchange.startedAt + exchange.milliseconds : null;
  const steps: Observation[] = [];
  for (const call of answer.toolCalls) {
    const result = results.find(({ toolCallId }) => toolCallId === call.id);
    if (result === undefined || result.acted || endNamed(offer, call.name) !== undefined) continue;
    const milliseconds = result.milliseconds ?? null;
    steps.push({
      kind: "observe",
      tool: call.name.slice(0, 100),
      arguments: argumentsOf(call),
      result: beginningOf(result.content),
      startedAt,
      milliseconds,
      usage: steps.length === 0 ? (answer.usage ?? null) : null,
      ...(result.clusterMs !== undefined && { clusterMs: result.clusterMs }),
    });
    if (startedAt !== null) startedAt += milliseconds ?? 0;
  }
  return steps;
}

/** As values; text where they are no JSON, or too long. */
function argumentsOf({ arguments: text }: ToolCall): unknown {
  return text.length <= observedCharacters ? (parseJson(text) ?? text) : beginningOf(text);
}

/** It says how much it leaves out. */
function beginningOf(text: string): string {
  if (text.length <= observedCharacters) return text;
  const note = ` ... [${text.length} characters in all]`;
  return `${text.slice(0, observedCharacters - note.length)}${note}`;
}
