import {
  type ActStep,
  type Attempt,
  actionsWithin,
  attemptsOf,
  type ChatMessage,
  type EpisodeDocument,
  environmentOf,
  taskOf,
} from "@microremed/contracts";
import { incidentText } from "@microremed/scoring";
import { attemptChapter } from "./story/attempt.ts";
import { conversationChapter } from "./story/conversation.ts";
import { endChapter } from "./story/end.ts";
import { injectionChapter } from "./story/injection.ts";
import { summaryTable } from "./story/summary.ts";
import type { Story } from "./story.types.ts";

/**
 * The episode as chapters: injection, each attempt after its conversation, end. `renderMarkdown` and `renderHtml`
 * print it.
 */
export function storyOf(document: EpisodeDocument): Story {
  const { problem, request } = document;
  const subject = problem
    ? `${problem.id}, ${taskOf(document)}`
    : `${incidentText(document)} of ${environmentOf(document, request)}`;
  const attempts = attemptsOf(document);
  const turns = turnsOf(document, attempts);
  return {
    title: `${subject}: ${document.outcome ?? "unfinished"}`,
    summary: summaryTable(document),
    chapters: [
      injectionChapter(document),
      ...attempts.flatMap((attempt, i) => [
        conversationChapter(placeOf(document, attempt), turns[i] ?? []),
        attemptChapter(placeOf(document, attempt), attempt, attempts[i - 1], actionsIn(document, attempt)),
      ]),
      ...(attempts.length < turns.length
        ? [conversationChapter(`Attempt ${attempts.length + 1}`, turns.at(-1) ?? [])]
        : []),
      endChapter(document),
    ],
  };
}

/** Of a watch its window, of a cycle with the task that was asked. */
function placeOf({ watched }: EpisodeDocument, { number, step: { task } }: Attempt): string {
  if (watched !== undefined) return `Window ${number}`;
  return task === undefined ? `Attempt ${number}` : `Attempt ${number}, ${task}`;
}

/** What was done before the end of an attempt. */
function actionsIn({ steps }: EpisodeDocument, { number }: Attempt): ActStep[] {
  return actionsWithin(steps).filter(({ attempt }) => attempt === number);
}

/** The conversation cut into the turns of the attempts, where their openings are marked. */
function turnsOf(document: EpisodeDocument, attempts: readonly Attempt[]): ChatMessage[][] {
  const { conversation } = document;
  const starts = attempts.map(({ number }) => startOf(conversation, number));
  const begun = [...starts, startOf(conversation, attempts.length + 1)].filter((start) => start >= 0);
  if (begun.length === 0 || starts.includes(-1)) return turnsByCalls(document, attempts);
  return begun.map((start, i) => conversation.slice(i === 0 ? 0 : start, begun[i + 1]));
}

/** Where the opening of an attempt begins: at the marked message, or the system prompt before it. */
function startOf(conversation: readonly ChatMessage[], attempt: number): number {
  const marked = conversation.findIndex((message) => message.role === "user" && message.attempt === attempt);
  return marked > 0 && conversation[marked - 1]?.role === "system" ? marked - 1 : marked;
}

/** In older records, without marks: each turn has as many answers as its attempt had model calls. */
function turnsByCalls({ conversation }: EpisodeDocument, attempts: readonly Attempt[]): ChatMessage[][] {
  const turns: ChatMessage[][] = [];
  let rest: readonly ChatMessage[] = conversation;
  for (const { usage } of attempts) {
    const length = lengthOfTurn(rest, usage.calls);
    turns.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return rest.length > 0 ? [...turns, [...rest]] : turns;
}

function lengthOfTurn(messages: readonly ChatMessage[], calls: number): number {
  let answers = 0;
  for (const [i, message] of messages.entries()) {
    if (message.role === "assistant") answers += 1;
    else if (message.role !== "tool" && answers >= calls && answers > 0) return i;
  }
  return messages.length;
}
