import {
  type Acting,
  type Agent,
  type AgentContext,
  type ArenaView,
  attemptReport,
  canDo,
  type ObserveTool,
  type Solution,
  type Task,
  type Tool,
  watchWords,
} from "@microremed/catalogue";
import { type ChatMessage, type SolveCommand, taskOf } from "@microremed/contracts";
import { createRng, terminal } from "@microremed/core";
import type { Catalogue, Entries } from "@microremed/registry";
import { runLoop } from "./agent-loop.ts";
import { askOnce } from "./ask-once.ts";
import { byCode } from "./by-code.ts";
import { takeByHand } from "./by-hand.ts";
import { consult } from "./consult.ts";
import { jsonSchemaOf, offerOf } from "./offer.ts";
import { reportOf } from "./report-of.ts";
import { situation } from "./situation.ts";
import { costOf } from "./solution.ts";
import { createTalk } from "./talk.ts";
import type { TurnContext } from "./turn-context.ts";
import { endable, untilEnd } from "./turn-end.ts";
import { TurnOver } from "./turn-over.ts";

/** Most characters of a tool's answer that an agent's own code gets: it pays no tokens for them. */
const codeResult = 65_536;

/** What a turn is made of besides its command; a turn keeps nothing between calls. */
export interface SolveDeps extends Pick<TurnContext, "chat" | "awaitPlaybook" | "now" | "log" | "signal"> {
  readonly catalogue: Pick<Catalogue, "agents" | "tools" | "tasks">;
  /** Everything said in the episode so far. */
  readonly conversation: readonly ChatMessage[];
  /** Stores messages at the end of the conversation, all of them or none. */
  readonly append: (messages: readonly ChatMessage[]) => Promise<void>;
  /** Asks one question of the arena, with its read-only credentials. */
  readonly ask: ArenaView["ask"];
}

/**
 * Runs one turn of the command's agent. What the model gets wrong is a solution of `nothing`; what a provider, a
 * cluster or the harness gets wrong is thrown. The same conversation always goes on in the same way.
 */
export async function solve(command: SolveCommand, deps: SolveDeps): Promise<Solution> {
  const { agents, tasks } = deps.catalogue;
  const agent = agents.get(command.method);
  const task = tasks.get(taskOf(command));
  if (!canDo(agent, task.name)) {
    throw terminal(
      "invalid-request",
      `agent ${agent.name} can't do the task ${task.name}; it does: ${[agent.tasks].flat().join(", ")}`,
    );
  }
  const { turn, end } = endable(turnContext(command, { agent, task }, deps));
  try {
    return await agent.solve(agentContext(command, { agent, task }, turn));
  } catch (thrown) {
    if (!(thrown instanceof TurnOver)) throw thrown;
    return { ...thrown.ending, ...costOf(turn) };
  } finally {
    await end();
  }
}

function turnContext(
  command: SolveCommand,
  { agent, task }: { readonly agent: Agent; readonly task: Task },
  deps: SolveDeps,
): Omit<TurnContext, "end"> {
  const { ask, signal, conversation, append, ...rest } = deps;
  const { tools } = deps.catalogue;
  const { episodeId, maxProbes, probeSeconds, budgets, playbook, feedbackKind = "oracle" } = command;
  const observers = observersOf(agent, tools).filter(({ rights }) => rights !== "write" || task.mayAct);
  const acts = task.mayAct && observers.some((tool) => tool.acts);
  const ends = tools.all().filter(({ kind, name }) => {
    if (kind === "act") return task.mayAct && (!acts || agent.tools.includes(name));
    return kind === "submit" && (task.answer !== null || acts);
  });
  return {
    ...rest,
    signal,
    talk: createTalk(conversation, append),
    maxResult: agent.code ? codeResult : undefined,
    episodeId,
    attempt: attemptOf(command),
    maxProbes,
    budgets,
    playbook,
    offer: offerOf([...observers, ...ends], task.answer),
    maxCalls: agent.settings?.steps ?? Number.POSITIVE_INFINITY,
    acted: command.acted,
    isAnswered: task.answer !== null,
    actSeconds: command.actSeconds ?? probeSeconds,
    mayBeDone: feedbackKind !== "oracle" && task.mayAct,
    arena: {
      namespace: command.arena.namespace,
      ask,
      seconds: probeSeconds,
      signal,
      mayAct: task.mayAct,
    },
  };
}

/** In the episode: it marks the beginning of a turn in the conversation. */
const attemptOf = ({ attempt, attemptNumber = attempt }: SolveCommand): number => attemptNumber;

/** The tools that an agent names, in its order; one that observes also gets those that are offered to all. */
function observersOf(agent: Agent, tools: Entries<Tool>): ObserveTool[] {
  const named = agent.tools.map((name) => tools.get(name));
  const others = tools.all().filter((tool) => tool.kind === "observe" && tool.offeredTo === "all");
  const all = agent.tools.length > 0 ? new Set([...named, ...others]) : [];
  return [...all].filter((tool) => tool.kind === "observe");
}

function agentContext(
  command: SolveCommand,
  { agent, task }: { readonly agent: Agent; readonly task: Task },
  turn: TurnContext,
): AgentContext {
  const { episodeId, maxAttempts, maxProbes, probeSeconds, feedbackKind = "oracle", feedback } = command;
  const { firstAttempt = 1 } = command;
  const goOn = (opening: readonly ChatMessage[]) => (firstAttempt > 1 ? continued(opening) : opening);
  const report = reportOf(command, task);
  const answer = task.answer === null ? null : jsonSchemaOf(task.answer);
  const acting = actingOf(turn);
  const words = situation(report, asked(command, task.question(report, acting)));
  return {
    ...(agent.byHand && { episodeId }),
    task: { name: task.name, mayAct: task.mayAct, answer },
    report,
    situation: words,
    attempt: attemptOf(command) - firstAttempt + 1,
    maxAttempts,
    maxProbes,
    probeSeconds,
    feedback: feedbackKind,
    lastAttempt: feedback,
    loop: untilEnd(turn.end, "loop", (opening, options) => runLoop(turn, goOn(opening), options)),
    consult: untilEnd(turn.end, "consult", (question) => consult(turn, question)),
    once: untilEnd(turn.end, "once", (opening) => askOnce(turn, goOn(opening))),
    byHand: untilEnd(turn.end, "byHand", (opening) => takeByHand(turn, goOn(opening))),
    ...byCode(turn, codeOpening(agent, command, { words, acting })),
    random: createRng(command.draws ?? command.seed, agent.name),
  };
}

/** In a watch the same question comes again and again. */
const asked = ({ window }: SolveCommand, question: string): string =>
  window === undefined ? question : `${watchWords(window)}\n\n${question}`;

const actingOf = ({ offer }: TurnContext): Acting =>
  offer.ends.some(({ tool }) => tool.kind === "act") ? "playbook" : "commands";

/** The opening of a turn in a conversation that has its system prompt already: one message, a new prompt at its beginning. */
function continued(opening: readonly ChatMessage[]): ChatMessage[] {
  return [{ role: "user", content: opening.map(({ content }) => content).join("\n\n") }];
}

/** What code works on is in the conversation as it is for a model; where a model has it, its calls are beside. */
function codeOpening(
  { code, name }: Agent,
  command: SolveCommand,
  { words, acting }: { readonly words: string; readonly acting: Acting },
) {
  const { maxAttempts, feedback, firstAttempt = 1 } = command;
  const attempt = attemptOf(command);
  const content =
    feedback === null
      ? words
      : `# Attempt ${attempt - firstAttempt + 1} of ${maxAttempts}\n${attemptReport(feedback, acting)}`;
  if (code) return { opening: [{ role: "user", content }] } as const;
  const opening = [{ role: "user", content: `Calls of the code of ${name}.` }] as const;
  return { opening, thread: `code ${attempt}` };
}
