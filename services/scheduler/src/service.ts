import { DeadLetter } from "@microremed/bus";
import { StageResult, streams, subjects } from "@microremed/contracts";
import { type RequestHandlers, serveRequests } from "@microremed/service-kit";
import { z } from "zod";
import { createClusterRegistration } from "./cluster-registration.ts";
import { createClusterWatch } from "./cluster-watch.ts";
import { dispatch } from "./dispatch.ts";
import { cancel } from "./handlers/cancel.ts";
import { listClusters, release } from "./handlers/clusters.ts";
import { takeDeadLetter } from "./handlers/dead-letter.ts";
import { giveBack } from "./handlers/give-back.ts";
import { listExperiments } from "./handlers/list.ts";
import { conversationOf, experimentPage } from "./handlers/query.ts";
import { takeResult } from "./handlers/result.ts";
import { submit } from "./handlers/submit.ts";
import { turnsOf } from "./handlers/turns.ts";
import { checkPausedModels, createModelWatch } from "./model-watch.ts";
import { createQueueWatch } from "./queue-watch.ts";
import { relayOutbox } from "./relay-outbox.ts";
import { createRepeatedWork } from "./repeated-work.ts";
import type { SchedulerDeps } from "./service.types.ts";
import { tick } from "./tick.ts";

/** What a scheduler works with. Nothing in it is closed when the scheduler stops. */
export type SchedulerOptions = Omit<
  SchedulerDeps,
  "relaySoon" | "dispatchSoon" | "clusterWatch" | "modelWatch" | "serviceOf"
> & {
  /** Results handled at once. */
  readonly concurrency: number;
};

/** Name that the schedulers share towards NATS. */
const service = "scheduler";
/** How often each runs without a request, ms. */
const relayEveryMs = 1_000;
const dispatchEveryMs = 1_000;
const tickEveryMs = 2_500;
const registerEveryMs = 1_000;
const checkEveryMs = 5_000;
/** Taking a result takes milliseconds: one that a dying scheduler left is soon taken by another. */
const resultAckMs = 10_000;

/** Starts a scheduler; any number of them may run at once. Disposing ends its work in order. */
export async function startScheduler(options: SchedulerOptions): Promise<AsyncDisposable> {
  const { bus, state, log, concurrency } = options;
  await using starting = new AsyncDisposableStack();
  const registerClusters = createClusterRegistration(options);
  await registerClusters();

  // First in, last out: what the handlers leave in the outbox is still relayed.
  const relay = starting.use(
    createRepeatedWork(() => relayOutbox({ bus, state, log }), {
      what: "publishing",
      everyMs: relayEveryMs,
      log,
    }),
  );
  const dispatchSoon = (): void => dispatcher.soon();
  const clusterWatch = createClusterWatch({ ...options, dispatchSoon });
  const deps: SchedulerDeps = {
    ...options,
    relaySoon: () => relay.soon(),
    dispatchSoon,
    clusterWatch,
    modelWatch: createModelWatch(options),
    serviceOf: createQueueWatch(options),
  };
  const dispatcher = starting.use(
    createRepeatedWork(() => dispatch(deps), { what: "leasing arenas", everyMs: dispatchEveryMs, log }),
  );
  starting.use(createRepeatedWork(() => tick(deps), { what: "checking stages", everyMs: tickEveryMs, log }));
  const checking = { what: "checking quarantined clusters", everyMs: checkEveryMs, log };
  starting.use(createRepeatedWork(() => clusterWatch.check(), checking));

  const asking = { what: "checking paused models", everyMs: checkEveryMs, log };
  starting.use(createRepeatedWork(() => checkPausedModels(deps), asking));

  const registration = { what: "registering clusters", everyMs: registerEveryMs, log };
  starting.use(createRepeatedWork(registerClusters, registration));

  const answers: RequestHandlers<typeof service> = {
    ExperimentQuery: (query) => experimentPage(deps, query),
    TurnsQuery: (query) => turnsOf(deps, query),
    GiveBackQuery: (query) => giveBack(deps, query),
    ExperimentListQuery: (query) => listExperiments(deps, query),
    ConversationQuery: (query) => conversationOf(deps, query),
    ClustersQuery: () => listClusters(deps),
    ClusterRelease: (request) => release(deps, request),
  };
  const experiments = { stream: streams.experiments.name, durable: service };
  const running = await Promise.all([
    bus.consume(
      { ...experiments, subjects: [subjects.submit], schema: z.string(), format: "text", concurrency: 4 },
      (text, context) => submit(deps, text, context),
    ),
    bus.consume(
      { ...experiments, subjects: [subjects.cancel], schema: z.string(), format: "text", concurrency: 4 },
      (text, context) => cancel(deps, text, context),
    ),
    bus.consume(
      {
        stream: streams.results.name,
        durable: service,
        subjects: [streams.results.subjects[0]],
        schema: StageResult,
        concurrency,
        ackWaitMs: resultAckMs,
      },
      (result, context) => takeResult(deps, result, context),
    ),
    bus.consume(
      {
        stream: streams.deadletters.name,
        durable: service,
        subjects: [streams.deadletters.subjects[0]],
        schema: DeadLetter,
        concurrency: 4,
      },
      (letter, context) => takeDeadLetter(deps, letter, context),
    ),
    serveRequests(bus, service, answers),
  ]);
  for (const one of running) starting.use(one);
  return starting.move();
}
