import { isDeepStrictEqual } from "node:util";
import type { EpisodeRecord, ExperimentRecord } from "@microremed/contracts";
import type { ExperimentProgress, Experiments } from "../experiments.ts";
import { pendingScore } from "../lanes.ts";
import type { OutboxMessage } from "../outbox.ts";
import { createExperimentParser } from "../record-parsers.ts";
import { retention } from "../retention.ts";
import { forgetFinished } from "./forget-finished.ts";
import type { ExperimentData, MemoryData } from "./memory-data.ts";
import type { MemoryLink } from "./memory-link.ts";
import { send } from "./outbox.ts";
import { createScoredSet } from "./scored-set.ts";

export function createExperiments({ data, use, grow }: MemoryLink): Experiments {
  const { parse, latest } = createExperimentParser();
  const nameOf = (id: string): string => `experiment ${id}`;
  const read = (id: string): ExperimentProgress | undefined => {
    const found = data.experiments.get(id);
    if (!found) return undefined;
    const { record, done, cancelled, cancelledBy, planned, total } = found;
    const known = { record: parse(nameOf(id), record), done, cancelled, planned, total };
    return cancelledBy === undefined ? known : { ...known, cancelledBy };
  };

  return {
    get: (id) => use(() => read(id)),
    latest: (id) => latest(nameOf(id)),
    extend: ({ id }, planned, episodes) => grow(() => extend(data, id, planned, episodes)),
    create: (record, { wants, episodes, messages }) =>
      grow(() => {
        const { id, request } = record;
        if (!data.experiments.get(id)) data.experiments.set(id, newExperiment(record, wants), null);
        const known = read(id);
        const planned = known?.planned ?? 0;
        const isSame = isDeepStrictEqual(known?.record.request, request);
        if (isSame && planned < episodes.length) extend(data, id, planned, episodes.slice(planned));
        const created = start(data, record, messages);
        return { record: known?.record ?? record, created };
      }),
    list: (limit) =>
      use(() => {
        const newest = data.submitted.all().toReversed().slice(0, limit);
        return newest.flatMap(({ member }) => read(member)?.record ?? []);
      }),
    running: () => use(() => [...data.running]),
    waiting: () => use(() => data.lines.owners().flatMap(data.lines.of)),
    cancel: (id, by) =>
      use(() => {
        const experiment = data.experiments.get(id);
        if (!experiment || read(id)?.record.status !== "running") return false;
        const cancelledBy = experiment.cancelled ? experiment.cancelledBy : by;
        data.experiments.set(id, { ...experiment, cancelled: true, cancelledBy, total: experiment.planned });
        return true;
      }),
    finish: (record, messages) => use(() => finish(data, record, messages)),
  };
}

function newExperiment(record: ExperimentRecord, wants: string): ExperimentData {
  const { clusters, maxParallel, priority, model, owner = "" } = record.request;
  return {
    record: JSON.stringify(record),
    wants,
    clusters,
    maxParallel,
    priority,
    owner,
    lanes: model.length,
    total: record.episodes,
    planned: 0,
    done: 0,
    ready: false,
    cancelled: false,
    finished: false,
    pending: createScoredSet(),
    active: new Set(),
  };
}

/** Adds the next planned episodes, in the order of their indices; false: others were added before, or none may be. */
function extend(data: MemoryData, id: string, planned: number, episodes: readonly EpisodeRecord[]): boolean {
  if (episodes.length === 0) return true;
  const experiment = data.experiments.get(id);
  if (!experiment || experiment.cancelled || experiment.planned !== planned) return false;
  for (const episode of episodes) {
    data.episodes.set(episode.id, { version: 0, record: JSON.stringify(episode) });
    experiment.pending.set(episode.id, pendingScore(episode.index, experiment.lanes));
  }
  data.experiments.set(id, { ...experiment, planned: planned + episodes.length });
  if (experiment.ready) data.lines.join(experiment.owner, id);
  return true;
}

/** Opens an experiment to the dispatcher; true for the one call that did. */
function start(
  data: MemoryData,
  { id, submittedAt }: ExperimentRecord,
  messages: readonly OutboxMessage[],
): boolean {
  const experiment = data.experiments.get(id);
  if (!experiment || experiment.ready) return false;
  data.experiments.set(id, { ...experiment, ready: true });
  data.running.add(id);
  data.lines.join(experiment.owner, id);
  data.submitted.set(id, submittedAt);
  // The list of experiments forgets those whose records have expired.
  for (const old of data.submitted.upTo(submittedAt - retention.listedSeconds * 1000, Infinity)) {
    data.submitted.delete(old);
  }
  send(data, messages, 0);
  return true;
}

function finish(data: MemoryData, record: ExperimentRecord, messages: readonly OutboxMessage[]): boolean {
  const { id } = record;
  const experiment = data.experiments.get(id);
  if (!experiment || experiment.finished || experiment.done !== experiment.total) return false;
  const until = data.now() + retention.finishedSeconds * 1000;
  data.experiments.set(id, { ...experiment, finished: true, record: JSON.stringify(record) }, until);
  data.running.delete(id);
  data.lines.leave(experiment.owner, id);
  experiment.pending.clear();
  experiment.active.clear();
  send(data, messages, 0);
  data.finished.add(id);
  forgetFinished(data);
  return true;
}
