import { type OracleContext, type Round, selectorText, workloadOfPod } from "@microremed/catalogue";
import type { Mark } from "@microremed/inventory";
import { observeArena } from "./arena-state.ts";
import { changesIn } from "./changes-in.ts";
import { pingPods } from "./ping.ts";
import { runInProber } from "./prober.ts";
import { reachAlong } from "./reach-along.ts";
import { askEntry } from "./requests/ask-entry.ts";
import { readRequests } from "./requests/read-requests.ts";
import { observeTarget } from "./target-state.ts";
import { writeInPods } from "./write-probe.ts";

/** One check of the target: the objects once, and each expensive measurement at most once, when an oracle asks for it. */
export async function startRound(context: OracleContext, mark?: Mark): Promise<Round> {
  const state = await observeTarget(context);
  const { cluster, namespace, environment } = context;
  const arena = once(() => observeArena(cluster, namespace));
  const pods = selectorText(state.spec.selector);
  return {
    context,
    state,
    samples: once(() => cluster.podMetrics(namespace, pods)),
    pings: once(() => pingPods(cluster, state.pods)),
    writes: once(() => writeInPods(context, state)),
    arena,
    changes: once(() => changesIn(context, mark)),
    requests: once(async () =>
      readRequests(
        cluster,
        (await arena()).pods,
        ({ metadata }) => workloadOfPod(environment, metadata.labels) ?? "",
      ),
    ),
    reach: async (paths) => reachAlong(context, (await arena()).pods, paths),
    entry: once(() => askEntry(context, context.load)),
    runOutside: (script, timeoutMs) => runInProber(cluster, script, timeoutMs),
  };
}

function once<T>(measure: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= measure();
    return result;
  };
}
