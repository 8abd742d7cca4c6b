import { type ErrorInfo, type Stage, type StageResult, stages } from "@microremed/contracts";
import type { EpisodeEvent } from "./episode-event.ts";

/** The model's provider is at fault, and other turns would fail the same way until it works again. */
const outages: readonly string[] = ["model-unreachable", "model-overloaded", "model-garbled"];
/** A refused key, an account without money, a model that is not there; 400 and the like concern one request alone. */
const refusals: readonly unknown[] = [401, 402, 403, 404];

export function isProvidersOutage({ code, details }: ErrorInfo): boolean {
  return outages.includes(code) || (code === "model-refused" && refusals.includes(details["status"]));
}

/** What an event says against the provider of its episode's model; undefined: nothing. */
export function outageOf(event: EpisodeEvent): ErrorInfo | undefined {
  const error = errorOf(event);
  return error && isProvidersOutage(error) ? error : undefined;
}

function errorOf(event: EpisodeEvent): ErrorInfo | undefined {
  if (event.kind === "dead-letter") return ofModel(event.stage) ? event.error : undefined;
  return event.kind === "result" ? errorIn(event.result) : undefined;
}

function errorIn({ stage, body }: StageResult): ErrorInfo | undefined {
  return ofModel(stage) && body.status === "failed" ? body.error : undefined;
}

const ofModel = (stage: Stage): boolean => stages[stage].shard === "model";
