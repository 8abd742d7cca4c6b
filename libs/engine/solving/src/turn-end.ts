import { setImmediate as nextTurn } from "node:timers/promises";
import type { TurnContext } from "./turn-context.ts";

/** Late calls of a turn that are answered and logged: an agent's code may make them without an end. */
const mostAnswered = 50;

/** The end of a turn, which promises of an agent's code may outlive. */
export interface TurnEnd {
  readonly isOver: () => boolean;
  /** Why a call that came after the end was not run. It is logged as refused; after 50 of them nothing answers any more. */
  readonly refuse: (call: string) => Promise<string>;
  /** What was under way at the end is never answered: no caller is left, and an error would end the process. */
  readonly unlessOver: <T>(answer: Promise<T>) => Promise<T>;
}

/** Neither an answer nor an error: code that calls again at once would keep the process from everything else. */
const never = new Promise<never>(() => {});

/**
 * A turn that can be ended. From then on it asks no model and no arena, and stores nothing. `end` resolves when what was
 * asked of the arena before has been answered.
 */
export function endable(context: Omit<TurnContext, "end">): {
  readonly turn: TurnContext;
  readonly end: () => Promise<void>;
} {
  const { chat, talk, arena, awaitPlaybook, log, episodeId, attempt } = context;
  const over = new AbortController();
  const asked = new Set<Promise<unknown>>();
  let late = 0;

  const isOver = (): boolean => over.signal.aborted;
  const refuse = async (call: string): Promise<string> => {
    if (++late > mostAnswered) return never;
    log.warn({ episodeId, attempt, call, refused: true }, "refused a call that came after its turn");
    await nextTurn();
    return "Not run: the turn is over.";
  };
  const unlessOver: TurnEnd["unlessOver"] = (answer) =>
    answer.then(
      (value) => (isOver() ? never : value),
      (thrown) => (isOver() ? never : Promise.reject(thrown)),
    );
  const fenced =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      over.signal.throwIfAborted();
      return call(...args);
    };
  const ask: typeof arena.ask = async (probe) => {
    const answer = arena.ask(probe);
    asked.add(answer);
    return answer.finally(() => asked.delete(answer));
  };

  const turn: TurnContext = {
    ...context,
    chat: { ...chat, complete: fenced((request) => chat.complete(request)) },
    talk: { ...talk, say: fenced(talk.say) },
    arena: { ...arena, ask: fenced(ask) },
    awaitPlaybook: fenced(awaitPlaybook),
    signal: AbortSignal.any([context.signal, over.signal]),
    end: { isOver, refuse, unlessOver },
  };
  const end = async (): Promise<void> => {
    over.abort();
    await Promise.allSettled(asked);
  };
  return { turn, end };
}

/** The same call, which is refused after the turn's end. */
export const untilEnd =
  <A extends unknown[], R>(
    { isOver, refuse, unlessOver }: TurnEnd,
    name: string,
    call: (...args: A) => Promise<R>,
  ) =>
  (...args: A): Promise<R> =>
    isOver() ? refuse(name).then(() => never) : unlessOver(call(...args));
