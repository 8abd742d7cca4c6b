import {
  type Acting,
  type Agent,
  type AgentContext,
  type ArenaView,
  attemptReport,
  canDo,
  type LoopOptions,
  type ObserveTool,
  type Solution,
  solverOf,
  type Task,
  type Tool,
  watchWords,
} from "@microremed/catalogue";
import { type ChatMessage, type SolveCommand, taskOf } from "@microremed/contracts";
import { clipMiddle, createSecretRng, terminal } from "@microremed/core";
import type { Catalogue, Entries } from "@microremed/registry";
import { runLoop } from "./agent-loop.ts";
import { AgentMistake } from "./agent-mistake.ts";
import { askOnce } from "./ask-once.ts";
import { type ByCode, byCode } from "./by-code.ts";
import { takeByHand } from "./by-hand.ts";
import { consult, questionOf } from "./consult.ts";
import { openingOf } from "./from-agent.ts";
import { jsonSchemaOf, type Offer, offerOf } from "./offer.ts";
import { reportOf } from "./report-of.ts";
import { type AgentRun, createAgentRun } from "./run-agent.ts";
import { situation } from "./situation.ts";
import { type Cost, costOf } from "./solution.ts";
import { createTalk } from "./talk.ts";
import type { TurnContext } from "./turn-context.ts";
import { endable, untilEnd } from "./turn-end.ts";

/** Most characters of a tool's answer that an agent's own code gets: it pays no tokens for them. */
const codeResult = 65_536;

/** Most characters of the reason why a turn came to nothing. */
const maxReason = 2_000;

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

/** What a turn came to, and what it cost, counted in its conversation. */
export type Solved = Solution & Cost;

/**
 * Runs one turn of the command's agent. What the agent's code or its model gets wrong is a solution of `nothing`; what a
 * provider, a cluster or the harness gets wrong is thrown. The same conversation always goes on in the same way.
 */
export async function solve(command: SolveCommand, deps: SolveDeps): Promise<Solved> {
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
  const { episodeId, budgets } = command;
  const run = createAgentRun({ method: agent.name, episodeId, seconds: budgets.seconds, log: deps.log });
  const context = agentContext(command, { agent, task }, { turn, run });
  try {
    const solution = await run.run(() => agent.solve(context));
    return { ...bounded(solution), ...costOf(turn) };
  } finally {
    await end();
  }
}

/** What a turn had cost when it broke off: counted in what had been stored of it. */
export function costSoFar(
  command: SolveCommand,
  { catalogue, conversation }: Pick<SolveDeps, "catalogue" | "conversation">,
): Cost {
  const agent = catalogue.agents.get(command.method);
  const task = catalogue.tasks.get(taskOf(command));
  const offer = offerTo(agent, task, catalogue.tools);
  return costOf({ talk: createTalk(conversation, async () => {}), attempt: attemptOf(command), offer });
}

/** A reason goes into records and reports; all of it is in the conversation. */
const bounded = (solution: Solution): Solution =>
  "reason" in solution ? { ...solution, reason: clipMiddle(solution.reason, maxReason) } : solution;

function turnContext(
  command: SolveCommand,
  { agent, task }: { readonly agent: Agent; readonly task: Task },
  deps: SolveDeps,
): Omit<TurnContext, "end"> {
  const { ask, signal, conversation, append, ...rest } = deps;
  const { tools } = deps.catalogue;
  const { episodeId, maxProbes, probeSeconds, budgets, playbook, feedbackKind = "oracle" } = command;
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
    offer: offerTo(agent, task, tools),
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

function offerTo(agent: Agent, task: Task, tools: Entries<Tool>): Offer {
  const observers = observersOf(agent, tools).filter(({ rights }) => rights !== "write" || task.mayAct);
  const acts = task.mayAct && observers.some((tool) => tool.acts);
  const ends = tools.all().filter(({ kind, name }) => {
    if (kind === "act") return task.mayAct && (!acts || agent.tools.includes(name));
    return kind === "submit" && (task.answer !== null || acts || agent.outside === true);
  });
  return offerOf([...observers, ...ends], task.answer);
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
  { turn, run }: { readonly turn: TurnContext; readonly run: AgentRun },
): AgentContext {
  const { episodeId, maxAttempts, maxProbes, probeSeconds, feedbackKind = "oracle", feedback } = command;
  const { firstAttempt = 1 } = command;
  const solver = solverOf(agent);
  const goOn = (given: unknown, asked: "model" | "person" = "model") => {
    const isThere = asked === "person" ? solver === "person" : solver === "model" || solver === "session";
    if (!isThere) throw new AgentMistake(without[asked]);
    const opening = openingOf(given);
    return firstAttempt > 1 ? continued(opening) : opening;
  };
  const report = reportOf(command, task);
  const answer = task.answer === null ? null : jsonSchemaOf(task.answer);
  const acting = actingOf(turn);
  const words = situation(report, asked(command, task.question(report, acting)));
  return {
    ...(agent.byHand && { episodeId }),
    task: { name: task.name, mayAct: task.mayAct, answer },
    report,
    situation: words,
    acting,
    attempt: attemptOf(command) - firstAttempt + 1,
    maxAttempts,
    maxProbes,
    probeSeconds,
    feedback: feedbackKind,
    lastAttempt: feedback,
    loop: run.lendEnd(
      untilEnd(turn.end, "loop", async (opening, options) =>
        runLoop(turn, goOn(opening), calledBack(options, run)),
      ),
    ),
    consult: run.lend(
      untilEnd(turn.end, "consult", async (question) => {
        const asked = questionOf(question);
        return consult(turn, { ...asked, opening: goOn(asked.opening) });
      }),
    ),
    once: run.lendEnd(untilEnd(turn.end, "once", async (opening) => askOnce(turn, goOn(opening)))),
    byHand: run.lendEnd(
      untilEnd(turn.end, "byHand", async (opening) => takeByHand(turn, goOn(opening, "person"))),
    ),
    ...lentCode(byCode(turn, codeOpening(agent, command, { words, acting })), run),
    random: createSecretRng(command.draws ?? command.seed, agent.name),
  };
}

const without = {
  model: "it has called its model, and says of itself that it has none: leave out `code` or `byHand`",
  person: "it has asked a person, and says of itself that none decides: `byHand` is missing",
};

/** What the loop calls of the agent's code; undefined: nothing. */
function calledBack(options: LoopOptions | undefined, { callBack }: AgentRun) {
  const given: unknown = options?.afterObservation;
  if (given === undefined) return undefined;
  if (typeof given !== "function") throw new AgentMistake("afterObservation must be a function");
  return callBack("afterObservation", given as NonNullable<LoopOptions["afterObservation"]>);
}

const lentCode = ({ call, act, submit, stop }: ByCode, { lend, lendEnd }: AgentRun): ByCode => ({
  call: lend(call),
  act: lendEnd(act),
  submit: lendEnd(submit),
  stop: lendEnd(stop),
});

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
