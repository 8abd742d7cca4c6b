import {
  type CauseLabels,
  type ChangedField,
  changedFields,
  commonCalls,
  type Evidence,
  type EvidenceCall,
  type Finding,
} from "@microremed/catalogue";

/** Workloads whose events are read, those that were scaled last. */
const mostWorkloads = 4;

/** A workload was scaled: to nothing, or to less than its events say that it had. */
export const scaledAway = (labels: CauseLabels): Evidence => ({
  next([log, ...events]) {
    if (log === undefined) return commonCalls.changes;
    const scaled = changedFields(log).filter(({ field, is }) => field === "spec.replicas" && is !== null);
    const some = scaled.slice(0, mostWorkloads);
    const next = some[events.length];
    if (next) return eventsOf(next.object);
    return some.flatMap((change, index) => findingOf(change, events[index] ?? "", labels));
  },
});

const eventsOf = ({ kind, name }: ChangedField["object"]): EvidenceCall => ({
  tool: "get_events",
  arguments: { of: `${kind.toLowerCase()}/${name}`, limit: 20 },
});

function findingOf({ object, is }: ChangedField, events: string, labels: CauseLabels): Finding[] {
  const [now, before] = [Number(is), replicasBefore(events)];
  if (now > 0 && (before === undefined || now >= before)) return [];
  return [
    {
      object,
      field: "spec.replicas",
      wrong: String(now),
      right: String(before ?? 1),
      workload: object.name,
      seen: "cause",
      ...labels,
    },
  ];
}

/** How many there were before the last scaling down, by the events of a Deployment or a StatefulSet. */
function replicasBefore(events: string): number | undefined {
  const down = [...events.matchAll(/Scaled down replica set \S+ (?:from (\d+) to|to \d+ from (\d+))/g)].at(
    -1,
  );
  if (down) return Number(down[1] ?? down[2]);
  const up = [...events.matchAll(/Scaled up replica set \S+ (?:from \d+ )?to (\d+)/g)].at(-1);
  if (up) return Number(up[1]);
  const pods = [...events.matchAll(/(?:create|delete) Pod \S+-(\d+) in StatefulSet/g)];
  return pods.length === 0 ? undefined : Math.max(...pods.map(([, ordinal]) => Number(ordinal))) + 1;
}
