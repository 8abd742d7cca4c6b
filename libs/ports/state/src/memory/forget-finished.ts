import { experimentIdOf } from "@microremed/contracts";
import type { MemoryData } from "./memory-data.ts";

/** Experiments whose records are kept whatever they take: a client that waited for their end is about to read them. */
const leastKept = 10;
/** Forgetting costs as much as there are records, so it makes room for a while. */
const shareLeft = 0.75;

/**
 * Forgets the experiments that finished first, with all of their episodes, when there is more than may be kept: a process
 * that goes on for days must not grow for as long. Redis keeps them for their time.
 */
export function forgetFinished(data: MemoryData): void {
  const { finished, experiments, episodes, conversations, results, submitted, keptBytes } = data;
  if (data.bytes() <= keptBytes) return;
  const share = 1 - (shareLeft * keptBytes) / data.bytes();
  const most = Math.min(finished.size - leastKept, Math.ceil(share * finished.size));
  const forgotten = new Set([...finished].slice(0, Math.max(0, most)));
  if (forgotten.size === 0) return;
  const isForgotten = (episodeId: string): boolean => forgotten.has(experimentIdOf(episodeId));
  episodes.deleteWhere(isForgotten);
  // Their keys begin with the episode's id.
  for (const texts of [conversations, results])
    texts.deleteWhere((key) => isForgotten(key.slice(0, key.indexOf("/"))));
  for (const id of forgotten) {
    experiments.delete(id);
    submitted.delete(id);
    finished.delete(id);
  }
}
