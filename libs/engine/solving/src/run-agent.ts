import { isDeepStrictEqual } from "node:util";
import type { Solution } from "@microremed/catalogue";
import { deepFrozen, type Logger, runForeign, runOwn } from "@microremed/core";
import { AgentMistake } from "./agent-mistake.ts";
import { wordsOf } from "./from-agent.ts";
import { createOwnTime } from "./own-time.ts";
import { TurnOver } from "./turn-over.ts";

/** A function that an agent's code may call. */
type Lent<A extends unknown[], R> = (...args: A) => Promise<R>;

/** The code of an agent in one delivery of a turn. */
export interface AgentRun {
  /** Lends a function to the code. What it throws is not the code's doing, unless it is an AgentMistake: it ends the turn. */
  readonly lend: <A extends unknown[], R>(work: Lent<A, R>) => Lent<A, R>;
  /** The same of one that ends the turn. */
  readonly lendEnd: <A extends unknown[]>(work: Lent<A, Solution>) => Lent<A, Solution>;
  /** A function of the code's that a lent one calls: what it throws is the code's doing. */
  readonly callBack: <A extends unknown[]>(name: string, code: Lent<A, unknown>) => Lent<A, unknown>;
  /**
   * What the code comes to. Whatever it throws or returns is charged to the agent, as a solution of `nothing`, unless a
   * lent function has failed before: that is thrown, though the code may have caught it. It ends within its time in any case.
   */
  readonly run: (solve: () => unknown) => Promise<Solution>;
}

interface Options {
  readonly method: string;
  readonly episodeId: string;
  /** Time that the code may take by itself, while no lent function is under way, s. */
  readonly seconds: number;
  readonly log: Logger;
}

/** An agent's code is not trusted to say what it did: an ending counts only if a lent function has made it. */
export function createAgentRun({ method, episodeId, seconds, log }: Options): AgentRun {
  const made: Solution[] = [];
  const decided = Promise.withResolvers<Solution>();
  decided.promise.catch(() => {});
  const ownTime = createOwnTime(seconds * 1000, () => decided.resolve(outOfTime(seconds)));

  const passedOn = new Set<unknown>();
  const decide = (thrown: unknown): void => {
    if (thrown instanceof AgentMistake) return;
    passedOn.add(thrown);
    if (thrown instanceof TurnOver) decided.resolve(thrown.ending);
    else decided.reject(thrown);
  };
  const lend: AgentRun["lend"] =
    (work) =>
    (...args) => {
      const result = ownTime.outside(() => runOwn(() => work(...args)));
      // Also where the code doesn't wait for it.
      result.catch(decide);
      return result;
    };
  const foreign = <T>(code: () => T): T => runForeign(`agent ${method}, episode ${episodeId}`, code);
  const callBack: AgentRun["callBack"] =
    (name, code) =>
    (...args) =>
      ownTime.inside(async () => {
        try {
          return await foreign(() => code(...args));
        } catch (thrown) {
          throw new AgentMistake(`${name}: ${wordsOf(thrown)}`);
        }
      });
  const own = async (solve: () => unknown): Promise<Solution> => {
    try {
      return endingIn(made, await foreign(solve));
    } catch (thrown) {
      // What fails inside of a lent function, and only comes through the code, is no failure of the code.
      if (passedOn.has(thrown)) return decided.promise;
      const stack = thrown instanceof Error ? thrown.stack : undefined;
      log.warn({ episodeId, method, error_stack: stack }, `the agent's code failed: ${wordsOf(thrown)}`);
      return { status: "nothing", reason: `the agent's code failed: ${wordsOf(thrown)}` };
    }
  };
  return {
    lend,
    callBack,
    lendEnd: (work) =>
      lend(async (...args) => {
        const ending = await work(...args);
        made.push(deepFrozen(ending));
        return ending;
      }),
    run: async (solve) => {
      try {
        ownTime.start();
        return await Promise.race([decided.promise, own(solve)]);
      } finally {
        ownTime.stop();
      }
    },
  };
}

const outOfTime = (seconds: number): Solution => ({
  status: "nothing",
  exhausted: "seconds",
  reason: `the agent's code did not end within ${seconds} s of its own`,
});

const fields = ["status", "tool", "arguments", "answer", "reason", "exhausted", "goesOn", "source"] as const;

/** The ending that was made and is returned now. Code may copy it, and add to it what it likes. */
function endingIn(made: readonly Solution[], returned: unknown): Solution {
  const read = (ending: object) => fields.map((field) => Reflect.get(ending, field));
  const given = typeof returned === "object" && returned !== null ? read(returned) : [];
  const found = made.find((one) => isDeepStrictEqual(read(one), given));
  if (found) return found;
  throw new AgentMistake(
    "it must return what loop, once, byHand, act, submit or stop of its context resolve to, and returned something else",
  );
}
