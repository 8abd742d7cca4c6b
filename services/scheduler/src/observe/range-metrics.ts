import type { Bus } from "@microremed/bus";
import { queueLabel } from "@microremed/contracts";
import type { Metrics, Reading } from "@microremed/service-kit";
import type { ArenaStatus, State } from "@microremed/state";

/** The state of the range, read from NATS and Redis at scrape time. Every scheduler reports the same. */
export function rangeMetrics(metrics: Metrics, bus: Pick<Bus, "queues">, state: State): void {
  metrics.gauges(
    [
      {
        name: "microremed_queue_messages",
        help: "Messages that wait for a consumer",
        labels: ["stream", "consumer", "queue"],
      },
      {
        name: "microremed_queue_unacknowledged_messages",
        help: "Messages delivered to a consumer and not settled yet",
        labels: ["stream", "consumer", "queue"],
      },
      { name: "microremed_stream_messages", help: "Messages stored in a stream", labels: ["stream"] },
      { name: "microremed_stream_bytes", help: "Bytes stored in a stream", labels: ["stream"] },
      {
        name: "microremed_stream_limit_bytes",
        help: "Bytes at which a stream refuses messages, or drops the oldest",
        labels: ["stream"],
      },
    ],
    () => bus.queues().then(queueReadings),
  );
  metrics.gauges(
    [
      { name: "microremed_arenas", help: "Arenas, by what they are doing", labels: ["state"] },
      {
        name: "microremed_cluster_quarantined",
        help: "1 while a cluster gets no episodes because it misbehaves as a whole",
        labels: ["cluster"],
      },
      { name: "microremed_outbox_messages", help: "Messages stored and not yet published", labels: [] },
      { name: "microremed_experiments_running", help: "Experiments that have not ended", labels: [] },
      {
        name: "microremed_episodes_unfinished",
        help: "Episodes of these that have not ended",
        labels: [],
      },
    ],
    () => stateReadings(state),
  );
}

function queueReadings(queues: Awaited<ReturnType<Bus["queues"]>>): Reading[] {
  return queues.flatMap(({ stream, messages, bytes, limitBytes, consumers }): Reading[] => [
    { name: "microremed_stream_messages", labels: { stream }, value: messages },
    { name: "microremed_stream_bytes", labels: { stream }, value: bytes },
    { name: "microremed_stream_limit_bytes", labels: { stream }, value: limitBytes },
    ...consumers.flatMap(({ name, waiting, unacknowledged }): Reading[] => {
      const labels = { stream, consumer: name, queue: queueLabel(name) };
      return [
        { name: "microremed_queue_messages", labels, value: waiting },
        { name: "microremed_queue_unacknowledged_messages", labels, value: unacknowledged },
      ];
    }),
  ]);
}

async function stateReadings({ arenas, clusters, outbox, experiments }: State): Promise<Reading[]> {
  const [slots, quarantined, waiting, running] = await Promise.all([
    arenas.list(),
    clusters.quarantined(),
    outbox.size(),
    experiments.running().then((ids) => Promise.all(ids.map((id) => experiments.get(id)))),
  ]);
  const open = running.flatMap((experiment) => (experiment ? [experiment.total - experiment.done] : []));
  return [
    ...arenaReadings(slots),
    ...[...new Set(slots.map(({ cluster }) => cluster))].map((cluster) => ({
      name: "microremed_cluster_quarantined",
      labels: { cluster },
      value: quarantined.has(cluster) ? 1 : 0,
    })),
    { name: "microremed_outbox_messages", labels: {}, value: waiting },
    { name: "microremed_experiments_running", labels: {}, value: open.length },
    { name: "microremed_episodes_unfinished", labels: {}, value: open.reduce((sum, n) => sum + n, 0) },
  ];
}

function arenaReadings(slots: readonly ArenaStatus[]): Reading[] {
  const counts = { free: 0, leased: 0, quarantined: 0 };
  for (const { quarantined, episode } of slots) {
    counts[quarantined !== null ? "quarantined" : episode !== null ? "leased" : "free"]++;
  }
  return Object.entries(counts).map(([state, value]) => ({
    name: "microremed_arenas",
    labels: { state },
    value,
  }));
}
