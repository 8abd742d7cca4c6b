import type { Bus } from "@microremed/bus";
import {
  JudgeRequest,
  ModelCheck,
  nameOfToken,
  noModel,
  sessionQueue,
  streams,
  subjects,
  taskOf,
} from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import type { ChatClient, ModelEndpoint, Models } from "@microremed/llm";
import { serveStage } from "@microremed/service-kit";
import type { State } from "@microremed/state";
import { askExecutor } from "./ask-executor.ts";
import { askWanted } from "./ask-wanted.ts";
import { awaitPlaybook } from "./await-playbook.ts";
import { askModel } from "./handlers/ask-model.ts";
import { checkModel } from "./handlers/check-model.ts";
import { givenBefore, type RemediateDeps, remediate } from "./handlers/remediate.ts";
import { matchesPattern } from "./matches-pattern.ts";
import type { RecordedJudge } from "./recorded-judge.ts";
import { serveModels } from "./serve-models.ts";
import { serveSeat } from "./session/serve-seat.ts";

/** What a remediator works with. Nothing in it is closed when the remediator stops. */
export interface RemediatorDeps extends Pick<RemediateDeps, "catalogue"> {
  readonly bus: Bus;
  readonly state: State;
  readonly log: Logger;
  readonly models: Models;
  /** A client for one turn, or for a check without an episode, whose calls each end within `timeoutMs`. */
  readonly connectModel: (
    endpoint: ModelEndpoint,
    turn: { readonly timeoutMs: number; readonly episodeId?: string },
  ) => ChatClient;
  /** Judges of a cassette, from which all answers come: no endpoint is asked. */
  readonly recorded?: RecordedJudge | undefined;
  /** Models whose turns this process takes: names, in which `*` matches any characters. Default: all. */
  readonly patterns?: readonly string[];
  /** Turns at once in this process, per model. */
  readonly concurrency: number;
  /** Turns of outside agents at once in this process. Default: 1000. */
  readonly sessions?: number;
  /** An outside agent that has made no call for so long gives its arena to others who wait, s. Default: 120. */
  readonly idleSeconds?: number;
}

const usualSessions = 1_000;
const usualIdleSeconds = 120;

/** Starts a remediator: the turns of each model from a queue of its own. Disposing it finishes what is in flight. */
export async function startRemediator(deps: RemediatorDeps): Promise<AsyncDisposable> {
  const {
    bus,
    state,
    log,
    models,
    catalogue,
    connectModel,
    patterns = ["*"],
    concurrency,
    sessions = usualSessions,
    idleSeconds = usualIdleSeconds,
  } = deps;
  const { recorded } = deps;
  const serve = (model: string) =>
    serveStage({
      stage: "solve",
      bus,
      state,
      shards: [model],
      // An outside agent that thinks needs nothing but its place.
      concurrency: model === sessionQueue ? sessions : concurrency,
      maxInFlight: models.limitsOf(model).concurrency,
      besideFailure: (command) => givenBefore(command, { catalogue, conversations: state.conversations }),
      run: (command, context) =>
        remediate(
          command,
          {
            catalogue,
            models,
            connectModel,
            conversations: state.conversations,
            ask: (request, signal) => askExecutor(bus, request, signal),
            awaitPlaybook: (turn, seconds, take) => awaitPlaybook(bus, turn, seconds, take, context),
            serveSeat: (order, play) => {
              const { signal, stopping } = context;
              const { mayAct, answer } = catalogue.tasks.get(taskOf(order));
              const task = { mayAct, answered: answer !== null };
              const isWanted = (isSilent: boolean) => askWanted({ bus, log: context.log }, order, isSilent);
              const seat = { command: order, task, signal, stopping, now: Date.now, idleSeconds, isWanted };
              return serveSeat(bus, seat, play);
            },
          },
          context,
        ),
    });
  await using starting = new AsyncDisposableStack();
  for (const model of checkedModels(patterns, models.names)) {
    const asked = { models, connectModel, recorded };
    starting.use(
      await bus.serve(subjects.checkModel(model), "remediator", ModelCheck, (request) =>
        checkModel(request, asked),
      ),
    );
    starting.use(
      await bus.serve(subjects.judge(model), "remediator", JudgeRequest, (request) =>
        askModel(request, { ...asked, conversations: state.conversations }),
      ),
    );
  }
  starting.use(
    await serveModels({
      patterns,
      names: [...models.names, noModel, sessionQueue],
      serve,
      waiting: () => modelsWaiting(bus),
      log,
    }),
  );
  return starting.move();
}

/** Whose checks this process answers: of every model where it serves all of them, else of those that it serves and knows. */
function checkedModels(patterns: readonly string[], names: readonly string[]): readonly string[] {
  return patterns.includes("*") ? ["*"] : names.filter((name) => matchesPattern(name, patterns));
}

/** Models with unfinished turns. */
async function modelsWaiting(bus: Bus): Promise<string[]> {
  const waiting = await bus.waitingSubjects(streams.remediator.name, subjects.commandOfAll("solve"));
  return waiting.map((subject) => nameOfToken(subject.split(".").at(-1) ?? ""));
}
