import { type EntryReading, type Environment, entryPlan, type FaultContext } from "@microremed/catalogue";
import { runInProber } from "../prober.ts";

/** An answer within this time is in time, s: where people leave a page (Nielsen's limit of attention is 10 s, ours is half). */
const answerWithinSeconds = 5;
/** Ends the check when nearly every request runs into its timeout. */
const timeoutMs = 240_000;

/** Asks the entry as a user outside of the arena does. Stops early when so many failed that the check has failed. */
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
    `  if wget -q -T ${answerWithinSeconds} -O /dev/null '${url}'; then ok=$((ok+1))`,
    `  else bad=$((bad+1)); [ $bad -gt ${entryPlan.mostBad} ] && break`,
    "  fi",
    "done",
    "echo answered $ok",
  ].join("\n");
}
