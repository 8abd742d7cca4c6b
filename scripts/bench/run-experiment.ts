import type { RangeClient } from "@microremed/range-client";
import type { ExperimentRequestInput, SubmitReply } from "../../libs/contracts/src/index.ts";

/** Throws what is wrong with a request that was refused: a benchmark of it would measure nothing. */
export function checkAccepted(reply: SubmitReply): void {
  if (reply.status === "rejected")
    throw new Error(`the benchmark's request is refused: ${JSON.stringify(reply.issues)}`);
}

/** Runs one experiment to its end. Throws when it is refused, or does not end within `timeoutMs`. */
export async function runExperiment(
  client: RangeClient,
  request: ExperimentRequestInput & { readonly id: string },
  timeoutMs: number,
): Promise<void> {
  checkAccepted(await client.submit(request));
  for await (const event of client.events(request.id, AbortSignal.timeout(timeoutMs))) {
    if (event.type === "experiment-finished") return;
  }
  throw new Error(`the events of experiment ${request.id} ended before it did`);
}
