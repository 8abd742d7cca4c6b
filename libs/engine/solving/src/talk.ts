import type { ChatMessage } from "@microremed/contracts";
import { threadOf } from "@microremed/contracts";
import { deepFrozen } from "@microremed/core";

/** Everything said in an episode: what is said is stored first and remembered then. */
export interface Talk {
  readonly all: () => readonly ChatMessage[];
  /** What was said in one conversation, without those beside it. */
  readonly of: (thread: string | undefined) => readonly ChatMessage[];
  /** Stores messages at the end of a conversation, all of them or none. */
  readonly say: (thread: string | undefined, messages: readonly ChatMessage[]) => Promise<void>;
}

/** Goes on from what is stored. An agent's code is shown the messages and cannot change them. */
export function createTalk(
  stored: readonly ChatMessage[],
  append: (messages: readonly ChatMessage[]) => Promise<void>,
): Talk {
  const messages = stored.map(deepFrozen);
  return {
    all: () => messages,
    of: (thread) => threadOf(messages, thread),
    say: async (thread, said) => {
      const marked = said.map((message) =>
        deepFrozen(thread === undefined ? message : { ...message, thread }),
      );
      await append(marked);
      messages.push(...marked);
    },
  };
}

/** What was said in the turn of an attempt, in all its conversations, from the first opening on. */
export function saidIn(talk: Talk, attempt: number): readonly ChatMessage[] {
  const all = talk.all();
  const opened = all.findIndex((message) => message.role === "user" && message.attempt === attempt);
  if (opened < 0) return [];
  let start = opened;
  while (start > 0 && isOpening(all[start - 1], all[opened]?.thread)) start -= 1;
  return all.slice(start);
}

/** An opening's other messages stand before the marked one. */
function isOpening(message: ChatMessage | undefined, thread: string | undefined): boolean {
  if (message === undefined || message.thread !== thread) return false;
  return message.role === "system" || (message.role === "user" && message.attempt === undefined);
}
