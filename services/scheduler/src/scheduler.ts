import { DeadLetter } from "@microremed/bus";
import {
  CancelRequest,
  ClusterRelease,
  ClustersQuery,
  ConversationQuery,
  ExperimentQuery,
  StageResult,
  streams,
  subjects,
} from "@microremed/contracts";
import { z } from "zod";
import { createClusterRegistration } from "./cluster-registration.ts";
import { createClusterWatch } from "./cluster-watch.ts";
import { dispatch } from "./dispatch.ts";
import { bury } from "./handlers/bury.ts";
import { cancel } from "./handlers/cancel.ts";
import { listClusters, release } from "./handlers/clusters.ts";
import { conversationOf, experimentPage } from "./handlers/query.ts";
import { takeResult } from "./handlers/result.ts";
import { submit } from "./handlers/submit.ts";
import { createQueueWatch } from "./queue-watch.ts";
import { relayOutbox } from "./relay-outbox.ts";
import type { SchedulerDeps } from "./scheduler.types.ts";
import { tick } from "./tick.ts";
import { createWaker } from "./waker.ts";

export type SchedulerOptions = Omit<
  SchedulerDeps,
  "wakeRelay" | "wakeDispatcher" | "clusterWatch" | "serviceOf"
> & {
  /** Results handled at once. */
  readonly concurrency: number;
};

/** Name that the schedulers share towards NATS. */
const service = "scheduler";
/** How often each does what nobody asked for, ms. */
const relayEveryMs = 1_000;
const dispatchEveryMs = 1_000;
const tickEveryMs = 2_500;
const registerEveryMs = 1_000;
const lookEveryMs = 5_000;
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
    createWaker(() => relayOutbox({ bus, state, log }), { what: "publishing", everyMs: relayEveryMs, log }),
  );
  const wakeDispatcher = (): void => dispatcher.wake();
  const clusterWatch = createClusterWatch({ ...options, wakeDispatcher });
  const deps: SchedulerDeps = {
    ...options,
    wakeRelay: () => relay.wake(),
    wakeDispatcher,
    clusterWatch,
    serviceOf: createQueueWatch(options),
  };
  const dispatcher = starting.use(
    createWaker(() => dispatch(deps), { what: "leasing arenas", everyMs: dispatchEveryMs, log }),
  );
  starting.use(createWaker(() => tick(deps), { what: "looking after episodes", everyMs: tickEveryMs, log }));
  const looking = { what: "looking at quarantined clusters", everyMs: lookEveryMs, log };
  starting.use(createWaker(() => clusterWatch.look(), looking));

  const registration = { what: "registering clusters", everyMs: registerEveryMs, log };
  starting.use(createWaker(registerClusters, registration));

  const experiments = { stream: streams.experiments.name, durable: service };
  const running = await Promise.all([
    bus.consume(
      { ...experiments, subjects: [subjects.submit], schema: z.string(), format: "text", concurrency: 4 },
      (text, context) => submit(deps, text, context),
    ),
    bus.consume(
      { ...experiments, subjects: [subjects.cancel], schema: CancelRequest, concurrency: 4 },
      (request) => cancel(deps, request),
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
      (letter, context) => bury(deps, letter, context),
    ),
    bus.serve(subjects.experimentQuery, service, ExperimentQuery, (query) => experimentPage(deps, query)),
    bus.serve(subjects.conversationQuery, service, ConversationQuery, (query) => conversationOf(deps, query)),
    bus.serve(subjects.clustersQuery, service, ClustersQuery, () => listClusters(deps)),
    bus.serve(subjects.clusterRelease, service, ClusterRelease, (request) => release(deps, request)),
  ]);
  for (const one of running) starting.use(one);
  return starting.move();
}
