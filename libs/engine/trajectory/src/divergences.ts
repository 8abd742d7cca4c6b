import { type Attempt, attemptsOf, type ChatMessage, type EpisodeDocument } from "@microremed/contracts";
import { withoutDetails } from "@microremed/core";
import { createTwoFilesPatch } from "diff";

/** A place where a replay and its recording are not the same. */
export interface Divergence {
  /** E.g. `message 5 (tool)`, `attempt 1: playbook`, `outcome`. */
  readonly where: string;
  /** `details`: generated names, ages, addresses and other numbers alone, and the order of lines; everything else is `content`. */
  readonly kind: "content" | "details";
  /** As a unified diff from the recording to the replay. */
  readonly difference: string;
}

/**
 * Everything in which the replay differs from the recording, in the order of the episode. An oracle that only one of the
 * two versions of MicroRemed has is not compared, and then neither is the reason, which quotes the oracles.
 */
export function divergencesOf(recorded: EpisodeDocument, replayed: EpisodeDocument): Divergence[] {
  const [before, after] = [attemptsOf(recorded), attemptsOf(replayed)];
  const attempts = Math.max(before.length, after.length);
  return [
    ...compared("target", recorded.target, replayed.target),
    ...messagesOf(recorded.conversation, replayed.conversation),
    ...Array.from({ length: attempts }, (_, i) => attemptOf(before[i], after[i], i + 1)).flat(),
    ...compared("outcome", recorded.outcome ?? "none", replayed.outcome ?? "none"),
    ...(haveSameOracles(before, after)
      ? compared("reason", recorded.reason ?? "", replayed.reason ?? "")
      : []),
    ...compared("damage", damageOf(recorded), damageOf(replayed)),
  ];
}

function messagesOf(recorded: readonly ChatMessage[], replayed: readonly ChatMessage[]): Divergence[] {
  const places = Array.from({ length: Math.max(recorded.length, replayed.length) }, (_, i) => i);
  return places.flatMap((i) => {
    const role = (replayed[i] ?? recorded[i])?.role;
    return compared(`message ${i + 1} (${role})`, wordsOf(recorded[i]), wordsOf(replayed[i]));
  });
}

function wordsOf(message: ChatMessage | undefined): string {
  if (!message) return "(none)";
  const calls = message.role === "assistant" ? message.toolCalls : [];
  return [message.content, ...calls.map(({ name, arguments: given }) => `${name} ${given}`)].join("\n");
}

function attemptOf(
  recorded: Attempt | undefined,
  replayed: Attempt | undefined,
  number: number,
): Divergence[] {
  const where = (part: string) => `attempt ${number}: ${part}`;
  return [
    ...compared(where("playbook"), recorded?.playbook ?? "(none)", replayed?.playbook ?? "(none)"),
    ...compared(where("answer"), answerOf(recorded), answerOf(replayed)),
    ...compared(where("execution"), executionOf(recorded), executionOf(replayed)),
    ...compared(where("verdict"), verdictOf(recorded, replayed), verdictOf(replayed, recorded)),
  ];
}

function answerOf(attempt: Attempt | undefined): string {
  return attempt?.answer === undefined ? "(none)" : JSON.stringify(attempt.answer);
}

function executionOf(attempt: Attempt | undefined): string {
  return attempt?.execution ? `${attempt.execution.status}\n${attempt.execution.output}` : "(none)";
}

const oraclesOf = (attempt: Attempt | undefined): readonly string[] =>
  attempt?.verdict?.oracles.map(({ oracle }) => oracle) ?? [];

/** A verification that fails leaves out the oracles after the failure: an attempt without a recovery proves no other version. */
function haveSameOracles(before: readonly Attempt[], after: readonly Attempt[]): boolean {
  return before.every((attempt, index) => {
    const other = after[index];
    if (!attempt.verdict?.recovered || !other?.verdict?.recovered) return true;
    const [were, are] = [oraclesOf(attempt), oraclesOf(other)];
    return were.length === are.length && were.every((name) => are.includes(name));
  });
}

/** The verdict without the oracles that a recovery of the other version does not have. */
function verdictOf(attempt: Attempt | undefined, other: Attempt | undefined): string {
  if (!attempt?.verdict) return "(none)";
  const { recovered, oracles, microremed } = attempt.verdict;
  const both = new Set(oraclesOf(other));
  const isCompared = ({ oracle }: { oracle: string }): boolean =>
    !(recovered && other?.verdict?.recovered) || both.has(oracle);
  return [
    `recovered: ${recovered}`,
    ...oracles.filter(isCompared).map(({ oracle, passed }) => `${oracle}: ${passed}`),
    `microremed: ${microremed?.recovered ?? "not asked"}`,
  ].join("\n");
}

function damageOf({ damage }: EpisodeDocument): string {
  return (
    damage?.changes.map(({ what, object, detail }) => `${what} ${object}: ${detail}`).join("\n") ??
    "(not compared)"
  );
}

/** In a list by size, another number is another order. */
function wordsAlone(text: string): string {
  return text.split("\n").map(withoutDetails).toSorted().join("\n");
}

function compared(where: string, recorded: string, replayed: string): Divergence[] {
  if (recorded === replayed) return [];
  const kind = wordsAlone(recorded) === wordsAlone(replayed) ? "details" : "content";
  const [, , ...lines] = createTwoFilesPatch("recorded", "replayed", recorded, replayed, "", "", {
    context: 1,
  }).split("\n");
  return [{ where, kind, difference: lines.join("\n").trim() }];
}
