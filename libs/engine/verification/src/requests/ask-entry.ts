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
 * Asks the entry as users outside of the arena do: each path in turn that a GET has or a POST whose body is known, so that no
 * journey is left out. Stops early when so many failed that the check has failed.
 */
export async function askEntry(context: FaultContext): Promise<EntryReading> {
  const requests = entryRequests(context.environment, context.namespace);
  const { stdout } = await runInProber(context.cluster, entryScript(requests), timeoutMs);
  const answered = /answered (\d+)/.exec(stdout)?.[1];
  const [{ url } = { url: "" }, ...others] = requests;
  return {
    url: others.length === 0 ? url : `${new URL(url).origin} on ${requests.length} paths`,
    answered: answered === undefined ? null : Number(answered),
  };
}

/** A request of the judge's. */
interface EntryRequest {
  readonly url: string;
  /** Of a POST; undefined: it is a GET. */
  readonly body?: string | undefined;
}

/** What users ask and the judge can ask. */
export function entryRequests({ load }: Environment, namespace: string): EntryRequest[] {
  const [host = "", port = "80"] = load.entry.split(":");
  const all = loadRequests(load);
  const known = all.filter(({ method, body }) => method === "GET" || body !== undefined);
  const some = (known.length > 0 ? known : all).map(({ path, body }) => ({
    url: `http://${host}.${namespace}:${port}${path}`,
    ...(body !== undefined && { body }),
  }));
  return [...new Map(some.map((one) => [JSON.stringify(one), one])).values()];
}

export function entryScript(requests: readonly EntryRequest[]): string {
  const asked = Array.from({ length: entryPlan.size }, (_, index) => {
    const { url, body } = requests[index % requests.length] ?? { url: "" };
    return body === undefined ? quoted(url) : `--post-data=${quoted(body)} ${quoted(url)}`;
  });
  const ask = (request: string): string =>
    `[ $bad -gt ${entryPlan.mostBad} ] || { wget -q -T ${answerWithinSeconds} -O /dev/null ${request} && ok=$((ok+1)) || bad=$((bad+1)); }`;
  return ["ok=0; bad=0", ...asked.map(ask), "echo answered $ok"].join("\n");
}

/** A word of a shell script. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
