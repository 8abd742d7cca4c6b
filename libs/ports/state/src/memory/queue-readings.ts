import type { QueueReadings } from "../queue-readings.ts";
import { retention } from "../retention.ts";
import type { MemoryLink } from "./memory-link.ts";

export function createQueueReadings({ data, use }: MemoryLink): QueueReadings {
  const { readings } = data;
  return {
    get: (subject) => use(() => readings.get(subject)),
    set: (subject, reading) =>
      use(() => readings.set(subject, reading, data.now() + retention.queueReadingSeconds * 1000)),
  };
}
