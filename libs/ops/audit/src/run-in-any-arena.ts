import { type ExperimentRequestInput, issueLines, type RangeEvent } from "@microremed/contracts";
import { AppError, terminal, waitFor, wallClock } from "@microremed/core";
import type { FullExperiment, RangeClient } from "@microremed/range-client";

/** A remediator waits for the playbook a moment after its turn began. */
const waitsWithinMs = 120_000;
const everyMs = 500;

/**
 * Runs an experiment of one episode with the method Human to its end, and hands in the playbook that is made for the
 * namespace of the arena that the episode got: where a cluster has several arenas, the request cannot name it.
 * Throws `invalid-request` when the request is refused, `deadline-exceeded` when no remediator waits for the playbook.
 */
export async function runInAnyArena(
  client: Pick<RangeClient, "submit" | "events" | "experiment" | "episode" | "answer">,
  request: ExperimentRequestInput,
  playbookFor: (namespace: string) => string,
  signal: AbortSignal,
): Promise<FullExperiment> {
  const { playbook: _, ...withoutPlaybook } = request;
  const reply = await client.submit(withoutPlaybook);
  if (reply.status !== "accepted")
    throw terminal("invalid-request", `the request was rejected:\n${issueLines(reply.issues)}`);
  const { experimentId } = reply;
  for await (const event of client.events(experimentId, signal)) {
    if (event.type === "experiment-finished") return client.experiment(experimentId);
    if (event.type === "episode-advanced" && event.state === "solving")
      await handIn(client, event, playbookFor, signal);
  }
  signal.throwIfAborted();
  throw terminal("internal", `the events of ${experimentId} ended before the experiment did`);
}

/** Of a turn that is over meanwhile nothing is handed in: another trial has an arena of its own. */
async function handIn(
  client: Pick<RangeClient, "episode" | "answer">,
  { episodeId, trial, attempt }: Extract<RangeEvent, { type: "episode-advanced" }>,
  playbookFor: (namespace: string) => string,
  signal: AbortSignal,
): Promise<void> {
  const what = `a remediator to take the playbook of ${episodeId}`;
  let last = "";
  await waitFor(
    { clock: wallClock, what, timeoutMs: waitsWithinMs, intervalMs: everyMs, signal },
    async () => {
      const { record } = await client.episode(episodeId);
      const isThis = record.state === "solving" && record.trial === trial && record.attempt === attempt;
      if (!isThis || !record.arena) return true;
      try {
        await client.answer(episodeId, playbookFor(record.arena.namespace));
        return true;
      } catch (thrown) {
        const { code, message } = AppError.from(thrown);
        // Where only the reply was lost, the episode has gone on by the next time.
        if (code !== "bus-unreachable" && code !== "invalid-request") throw thrown;
        last = message;
        return undefined;
      }
    },
    () => last,
  );
}
