import {
  ExperimentId,
  type ExperimentRequest,
  issueLines,
  type RequestIssue,
  readRequestFields,
} from "@microremed/contracts";
import { type AppError, terminal } from "@microremed/core";
import type { RangeClient } from "@microremed/range-client";
import { z } from "zod";

/** An experiment that was accepted. */
export const Accepted = z
  .strictObject({ experimentId: ExperimentId, episodes: z.int().describe("that it will have") })
  .meta({ id: "Accepted" });

/** Submits a request as anybody may have written it. Throws `invalid-request` with every wrong field. */
export async function submitTo(
  client: Pick<RangeClient, "submit">,
  request: unknown,
): Promise<z.output<typeof Accepted>> {
  const reply = await client.submit(readWanted(request));
  if (reply.status === "rejected") throw wrongRequest(reply.issues);
  return { experimentId: reply.experimentId, episodes: reply.episodes };
}

/** A request as anybody may have written it. Throws `invalid-request` with every wrong field. */
export function readWanted(request: unknown): ExperimentRequest {
  const read = readRequestFields(request);
  if (read.request) return read.request;
  throw wrongRequest(read.issues);
}

/** The error that names the wrong fields of a request. */
export function wrongRequest(issues: readonly RequestIssue[]): AppError {
  return terminal("invalid-request", `the request is wrong:\n${issueLines(issues)}`, { issues });
}
