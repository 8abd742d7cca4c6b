import { type ExperimentRequestInput, issueLines } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import type { RangeClient } from "@microremed/range-client";

/** Submits and returns the experiment's id; a rejection becomes `invalid-request` with every wrong field. */
export async function submitOrThrow(client: RangeClient, request: ExperimentRequestInput): Promise<string> {
  const reply = await client.submit(request);
  if (reply.status === "accepted") return reply.experimentId;
  throw terminal("invalid-request", `the request was rejected:\n${issueLines(reply.issues)}`);
}
