import type { Environment } from "@microremed/environments";
import type { FaultContext } from "@microremed/faults";
import { runInProber } from "../prober.ts";
import { smallestSample } from "../statistics/binomial.ts";

/**
 * Our own requests. A system of which half the requests fail or are late must not pass a look (below 1e-6), one that
 * serves all but 1 % must not fail it (below 1e-3): 33 requests, of which 3 may go wrong.
 */
export const entryPlan = smallestSample({
  badRate: 0.5,
  cleanRate: 0.01,
  mostMissed: 1e-6,
  mostFalseAlarms: 1e-3,
});

/** An answer within this time is in time, s: where people leave a page (Nielsen's limit of attention is 10 s, ours is half). */
const answerWithinSeconds = 5;
/** Ends the look when nearly every request runs into its timeout. */
const timeoutMs = 240_000;

/** Requests from the prober to the environment's entry. Null: they could not be made. */
export interface EntryReading {
  readonly url: string;
  readonly answered: number | null;
}

/** Asks the entry as a user outside of the arena does. Stops early when so many went wrong that the look has failed. */
export async function askEntry(context: FaultContext): Promise<EntryReading> {
  const url = entryUrl(context.environment, context.namespace);
  const { stdout } = await runInProber(context.cluster, entryScript(url), timeoutMs);
  const answered = /answered (\d+)/.exec(stdout)?.[1];
  return { url, answered: answered === undefined ? null : Number(answered) };
}

export function entryUrl({ load }: Environment, namespace: string): string {
  const [host = "", port = "80"] = load.entry.split(":");
  return `http://${host}.${namespace}:${port}${load.path}`;
}

export function entryScript(url: string): string {
  return [
    "ok=0; bad=0",
    `for i in $(seq 1 ${entryPlan.size}); do`,
    `  if wget -q -T ${answerWithinSeconds} -O /dev/null '${url}'; then ok=$((ok+1)); else bad=$((bad+1)); fi`,
    `  [ $bad -gt ${entryPlan.mostBad} ] && break`,
    "done",
    "echo answered $ok",
  ].join("\n");
}
