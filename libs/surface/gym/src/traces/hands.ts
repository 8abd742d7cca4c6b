import { type EvidenceCall, type Finding, isCall, shellCall, shellPlaybook } from "@microremed/catalogue";
import type { Rng } from "@microremed/core";
import type { ExpertCase, Knowledge, Steps } from "./expert.ts";
import type { Wording } from "./wording.ts";

/** Calls for one hypothesis. */
const mostCalls = 20;

const keyOf = ({ tool, arguments: args }: EvidenceCall): string => JSON.stringify([tool, args]);

/** What an expert does with a system, and what came of it. */
export interface Hands {
  /** Whether the episode is over. */
  readonly isDone: boolean;
  /** Is said of the last answer, before the next call. */
  remark(words: string): void;
  /** Calls a tool whose answer is not kept. */
  does(call: EvidenceCall, words: string): Steps<string>;
  /** Calls a tool, and keeps the answer until the system is changed. */
  asks(call: EvidenceCall, words: string): Steps<string>;
  /** Whether the answer is kept. */
  knows(call: EvidenceCall): boolean;
  /** What was answered may be otherwise now. */
  forgets(): void;
  /** Follows the evidence of a kind of fault. `first`: is said with the first call that is made for it. */
  follows(fault: Pick<Knowledge, "evidence">, first: string): Steps<readonly Finding[]>;
  /** Changes the system: by a script, by a command each, or by a playbook that ends the attempt. */
  changes(title: string, commands: readonly string[], words: string): Steps<void>;
}

export function createHands(
  { namespace, acting }: Pick<ExpertCase, "namespace" | "acting">,
  say: Wording,
  rng: Rng,
): Hands {
  const known = new Map<string, string>();
  let remark = "";
  let isDone = false;
  function* does({ tool, arguments: args }: EvidenceCall, words: string): Steps<string> {
    const text = [remark, words].filter((part) => part !== "").join(" ");
    remark = "";
    // Where a playbook acts, the shell only reads.
    const name = acting === "playbook" && tool === "exec_shell" ? "probe_system" : tool;
    const reply = yield { tool: name, arguments: { ...args }, ...(text !== "" && { text }) };
    isDone = reply.done;
    return reply.text;
  }
  function* asks(call: EvidenceCall, words: string): Steps<string> {
    const answer = yield* does(call, words);
    known.set(keyOf(call), answer);
    return answer;
  }
  return {
    get isDone() {
      return isDone;
    },
    remark: (words) => {
      remark = words;
    },
    does,
    asks,
    knows: (call) => known.has(keyOf(call)),
    forgets: () => known.clear(),
    *follows({ evidence }, first) {
      const seen: string[] = [];
      let words = first;
      while (evidence && seen.length < mostCalls && !isDone) {
        const step = evidence.next(seen, { namespace });
        if (!isCall(step)) return step;
        const answer = known.get(keyOf(step));
        seen.push(answer ?? (yield* asks(step, words)));
        if (answer === undefined) words = say("deeper");
      }
      return [];
    },
    *changes(title, commands, words) {
      known.clear();
      if (acting === "playbook") {
        const playbook = shellPlaybook(title, commands);
        yield* does({ tool: "print_playbook", arguments: { playbook } }, words);
        return;
      }
      for (const [number, script] of scriptsOf(commands, rng).entries())
        yield* does(shellCall(script), number === 0 ? words : say("deeper"));
    },
  };
}

/** A line that leaves nothing to the shell that the next line needs. */
const standsAlone = (line: string): boolean => line.startsWith("kubectl ") && !/\$|<<|\\$/.test(line);

/** Commands one after the other in calls of their own where that is possible, or as one script. */
function scriptsOf(commands: readonly string[], rng: Rng): string[] {
  const isApart = rng.int(2) === 0 && commands.every(standsAlone);
  if (isApart) return [...commands];
  return [[...(rng.int(2) === 0 ? ["set -e"] : []), ...commands].join("\n")];
}
