import type { JetStreamManager } from "@nats-io/jetstream";
import { unreachable } from "./link.ts";

const most = 1_000;

/** Subjects of a stream that hold messages, of those that match the filter. Throws retryable `bus-unreachable`. */
export async function waitingSubjects(
  manager: JetStreamManager,
  stream: string,
  filter: string,
): Promise<string[]> {
  try {
    const { state } = await manager.streams.info(stream, { subjects_filter: filter });
    return Object.keys(state.subjects ?? {}).slice(0, most);
  } catch (error) {
    throw unreachable(`looking at the subjects of ${stream}`, error);
  }
}
