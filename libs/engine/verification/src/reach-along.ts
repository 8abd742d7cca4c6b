import {
  type FaultContext,
  isPodReady,
  type ReachPath,
  type ReachReading,
  reachPlan,
} from "@microremed/catalogue";
import type { Pod } from "@microremed/cluster";
import { isLate } from "@microremed/core";
import { isSilent } from "@microremed/inventory";
import { runInProber } from "./prober.ts";

/** Ends a script when nearly every request runs into its timeout. */
const timeoutMs = 240_000;
/** An answer, and a connection, within these times are in time, s. */
const answerSeconds = 5;
const connectSeconds = 3;

/** Sends the judge's own requests, all those from one place in one script; places at the same time. */
export async function reachAlong(
  context: FaultContext,
  pods: readonly Pod[],
  paths: readonly ReachPath[],
): Promise<ReachReading[]> {
  const places = [...Map.groupBy(paths, ({ from }) => from)];
  const readings = await Promise.all(
    places.map(async ([from, some]) => {
      const output =
        from === null ? await askOutside(context, some) : await askInside(context, pods, from, some);
      const answers = new Map(
        [...output.matchAll(/^way (\d+) answered (\d+)$/gm)].map(([, way, count]) => [
          Number(way),
          Number(count),
        ]),
      );
      return some.map((path, way): ReachReading => ({ path, answered: answers.get(way) ?? null }));
    }),
  );
  return readings.flat();
}

async function askOutside(
  { cluster, namespace }: FaultContext,
  paths: readonly ReachPath[],
): Promise<string> {
  try {
    const { stdout } = await runInProber(cluster, reachScript(paths, `.${namespace}`), timeoutMs);
    return stdout;
  } catch (error) {
    // Where every way runs into its timeout, the script does too.
    if (isLate(error)) return "";
    throw error;
  }
}

/** In a pod of the workload; where nothing can be run there, or does not end, nothing was asked. */
async function askInside(
  { cluster, namespace, environment }: FaultContext,
  pods: readonly Pod[],
  from: string,
  paths: readonly ReachPath[],
): Promise<string> {
  const workload = environment.workloads[from];
  if (!workload) return "";
  const selector = Object.entries(workload.selector);
  const pod = pods.find(
    (one) => isPodReady(one) && selector.every(([label, value]) => one.metadata.labels?.[label] === value),
  );
  if (!pod) return "";
  await using _hold = await cluster.clock.hold();
  try {
    const { stdout } = await cluster.exec({
      namespace,
      pod: pod.metadata.name,
      container: workload.containers[0]?.name ?? "",
      command: ["sh", "-c", reachScript(paths, "")],
      timeoutMs,
    });
    return stdout;
  } catch (error) {
    if (!isSilent(error)) throw error;
    return "";
  }
}

/**
 * Asks each way as often as the sample needs, and stops when it has failed. With the client that the image has: curl,
 * wget or nc; of an image without one nothing is printed.
 */
export function reachScript(paths: readonly ReachPath[], suffix: string): string {
  const ways = paths.map(({ host, port, how }, way) => `way ${way} ${how} '${host}${suffix}' ${port}`);
  return [
    "web=; raw=",
    "if command -v curl >/dev/null; then",
    "  web=curl",
    "  http() {",
    `    code=$(curl -s -o /dev/null -m ${answerSeconds} -w '%{http_code}' "http://$1:$2/" 2>/dev/null)`,
    "    case $code in [1-4]??) ;; *) return 1 ;; esac",
    "  }",
    "elif command -v wget >/dev/null; then",
    "  web=wget",
    "  http() {",
    `    said=$(wget -q -S -T ${answerSeconds} -O /dev/null "http://$1:$2/" 2>&1) && return`,
    // Busybox and GNU name the status of an answer that they count as an error.
    '    case $said in *"HTTP/1."[01]" "[1-4]*) ;; *) return 1 ;; esac',
    "  }",
    "fi",
    "if command -v nc >/dev/null; then",
    "  raw=nc",
    `  tcp() { nc -z -w ${connectSeconds} "$1" "$2" </dev/null >/dev/null 2>&1; }`,
    "fi",
    "way() {",
    "  case $2 in http) client=$web ;; *) client=$raw ;; esac",
    '  [ -n "$client" ] || return 0',
    "  ok=0; bad=0",
    `  for i in $(seq 1 ${reachPlan.size}); do`,
    '    if $2 "$3" "$4"; then ok=$((ok+1))',
    `    else bad=$((bad+1)); [ $bad -gt ${reachPlan.mostBad} ] && break`,
    "    fi",
    "  done",
    '  echo "way $1 answered $ok"',
    "}",
    ...ways,
    "true",
  ].join("\n");
}
