import {
  type EntryReading,
  type Environment,
  entryPlan,
  type FaultContext,
  loadRequests,
} from "@microremed/catalogue";
import { runInProber } from "../prober.ts";

/** An answer within this time is in time, s: where people leave a page (Nielsen's limit of attention is 10 s, ours is half). */
const answerWithinSeconds = 5;
/** Ends the check when nearly every request runs into its timeout. */
const timeoutMs = 240_000;

/**
 * Asks the entry as users outside of the arena do: each path in turn that a GET has, so that no journey is left out. Stops
 * early when so many failed that the check has failed.
 */
export async function askEntry(context: FaultContext): Promise<EntryReading> {
  const urls = entryUrls(context.environment, context.namespace);
  const { stdout } = await runInProber(context.cluster, entryScript(urls), timeoutMs);
  const answered = /answered (\d+)/.exec(stdout)?.[1];
  const [url = "", ...others] = urls;
  return {
    url: others.length === 0 ? url : `${new URL(url).origin} on ${urls.length} paths`,
    answered: answered === undefined ? null : Number(answered),
  };
}

/** Where users ask, without what changes data. */
export function entryUrls({ load }: Environment, namespace: string): string[] {
  const [host = "", port = "80"] = load.entry.split(":");
  const requests = loadRequests(load);
  const read = requests.filter(({ method }) => method === "GET");
  const paths = (read.length > 0 ? read : requests).map(({ path }) => path);
  return [...new Set(paths)].map((path) => `http://${host}.${namespace}:${port}${path}`);
}

export function entryScript(urls: readonly string[]): string {
  const asked = Array.from({ length: entryPlan.size }, (_, index) => `'${urls[index % urls.length]}'`);
  return [
    "ok=0; bad=0",
    `for url in ${asked.join(" ")}; do`,
    `  if wget -q -T ${answerWithinSeconds} -O /dev/null "$url"; then ok=$((ok+1))`,
    `  else bad=$((bad+1)); [ $bad -gt ${entryPlan.mostBad} ] && break`,
    "  fi",
    "done",
    "echo answered $ok",
  ].join("\n");
}
