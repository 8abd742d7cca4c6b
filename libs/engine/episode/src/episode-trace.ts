import { hash } from "node:crypto";
import { formatTraceparent } from "@microremed/bus";
import type { EpisodeRecord } from "@microremed/contracts";
import type { EpisodePlan } from "./plan.ts";

type Plan = Pick<EpisodePlan, "submittedAt">;
const sampled = 1;

/** The span of a whole episode, as a `traceparent`. Every scheduler names it alike, whichever records it in the end. */
export function episodeSpan({ id }: Pick<EpisodeRecord, "id">, plan: Plan): string {
  const digest = digestOf(id, plan);
  return traceparent(digest, digest.slice(32, 48));
}

/** The span of one stage, from the decision that it is next to the taking of its result: the parent of all work on it. */
export function stageSpan(
  { id, stage, trial, attempt }: Pick<EpisodeRecord, "id" | "trial" | "attempt"> & { readonly stage: string },
  plan: Plan,
): string {
  return traceparent(digestOf(id, plan), digestOf(`${id}/${trial}/${attempt}/${stage}`, plan).slice(0, 16));
}

/** The time keeps apart experiments of one id on different ranges, or on one that was recreated. */
function digestOf(name: string, { submittedAt }: Plan): string {
  return hash("sha256", `${name}@${submittedAt}`);
}

function traceparent(digest: string, spanId: string): string {
  return formatTraceparent({ traceId: digest.slice(0, 32), spanId, traceFlags: sampled });
}
