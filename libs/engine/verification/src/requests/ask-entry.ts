import {
  type EntryReading,
  type Environment,
  type Expected,
  entryPlan,
  type FaultContext,
  loadRequests,
  namedLoad,
} from "@microremed/catalogue";
import type { LoadOrder } from "@microremed/contracts";
import { runInProber } from "../prober.ts";

/** An answer within this time is in time, s: where people leave a page (Nielsen's limit of attention is 10 s, ours is half). */
const answerWithinSeconds = 5;
/** Ends the check when nearly every request runs into its timeout. */
const timeoutMs = 240_000;

/**
 * Asks the entry as users outside of the arena do: each path in turn that a GET has or a POST whose body is known, in the order of
 * the journeys, so that none is left out. `load`: the arena's order; absent: the system is under its own load. An answer that
 * is not what the load expects is none. Stops early when so many failed that the check has failed.
 */
export async function askEntry(context: FaultContext, load?: LoadOrder): Promise<EntryReading> {
  const requests = entryRequests(context.environment, context.namespace, load?.pattern.load);
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
  /** What a right answer is; undefined: any without an error. */
  readonly expect?: Expected | undefined;
}

/** What users ask and the judge can ask. `name`: of the load that they follow; undefined: the system's own. */
export function entryRequests({ load }: Environment, namespace: string, name?: string): EntryRequest[] {
  const [host = "", port = "80"] = load.entry.split(":");
  const all = loadRequests(namedLoad(load, name));
  const known = all.filter(({ method, body }) => method === "GET" || body !== undefined);
  const some = (known.length > 0 ? known : all).map(({ path, body, expect }) => ({
    url: `http://${host}.${namespace}:${port}${path}`,
    ...(body !== undefined && { body }),
    ...(expect !== undefined && { expect }),
  }));
  return [...new Map(some.map((one) => [JSON.stringify(one), one])).values()];
}

export function entryScript(requests: readonly EntryRequest[]): string {
  const asked = Array.from(
    { length: entryPlan.size },
    (_, index) => requests[index % requests.length] ?? { url: "" },
  );
  const ask = (request: EntryRequest): string =>
    `[ $bad -gt ${entryPlan.mostBad} ] || { ${isRight(request)} && ok=$((ok+1)) || bad=$((bad+1)); }`;
  return ["ok=0; bad=0", ...asked.map(ask), "echo answered $ok"].join("\n");
}

/**
 * A command of a shell that succeeds when the answer is right. wget follows redirections and fails for other statuses than 2xx; where
 * a load expects something it shows the first answer's head, too, and in one stream with the content, so that it comes first.
 */
function isRight({ url, body, expect = {} }: EntryRequest): string {
  const post = body === undefined ? "" : `--post-data=${quoted(body)} `;
  const get = (options: string): string =>
    `wget -q ${options} -T ${answerWithinSeconds} ${post}${quoted(url)}`;
  const { content, status = content === undefined ? undefined : ["2??"] } = expect;
  if (status === undefined) return get("-O /dev/null");
  const wanted = content === undefined ? "" : `${endOfHead}*${quoted(content)}*`;
  const patterns = status.map((one) => `"  HTTP/1."?" "${one}" "*${wanted}`);
  // Where a redirection is right, what it leads to is not asked.
  const then = status.some((one) => Number(one) >= 300) ? ";" : " &&";
  return `answer=$(${get("-S -O /dev/stderr")} 2>&1)${then} case "$answer" in ${patterns.join("|")}) true;; *) false;; esac`;
}

/** The empty line between an answer's head and its content, as wget shows it. */
const endOfHead = '"\n  \n"';

/** A word of a shell script. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
