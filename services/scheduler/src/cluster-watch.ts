import { ClusterCheckReply, subjects } from "@microremed/contracts";
import { AppError } from "@microremed/core";
import { blameLimit, blameOf, wantsOf } from "@microremed/episode";
import type { ClusterWatch } from "./cluster-watch.types.ts";
import { quarantineMs } from "./quarantine.ts";
import type { SchedulerDeps } from "./service.types.ts";

/** An injector tries its request to the API server a few times. */
const checkWithinMs = 20_000;

type Deps = Pick<SchedulerDeps, "bus" | "state" | "log" | "clusters" | "now" | "dispatchSoon">;

/**
 * A cluster is quarantined when its API server could not be reached by two stages in a row, each of which has tried for a
 * while, or when six stages failed in a row for other reasons that may be its own, whatever experiments they belong to.
 * An environment that stands nowhere may be at fault itself: until it has been seen to work, only its clusters' silence
 * counts.
 */
export function createClusterWatch(deps: Deps): ClusterWatch {
  const { state, log, now } = deps;
  let suspected = new Set<string>();

  return {
    note: async (record, { request }, result) => {
      const { arena, id, trial, attempt } = record;
      const blame = blameOf(result);
      if (arena === null || blame.kind === "none") return;
      const { cluster } = arena;
      if (blame.kind === "praise") {
        if (suspected.delete(cluster)) await state.clusters.clear(cluster);
        return;
      }
      const wants = wantsOf(request, record);
      if (blame.unproven && !(await state.arenas.list()).some(({ deployed }) => deployed === wants)) return;
      suspected.add(cluster);
      const { weight, reason, unproven } = blame;
      const failure = { cluster, key: `${id}/${trial}/${attempt}/${result.stage}`, weight };
      const since = now();
      const until = since + (unproven ? quarantineMs : 0);
      const isNew = await state.clusters.blame(failure, blameLimit, { reason, since, until });
      if (isNew) log.warn({ cluster, reason }, "a cluster is quarantined: no episode is given to it");
    },
    check: async () => {
      suspected = new Set(await state.clusters.suspected());
      const quarantined = await state.clusters.quarantined();
      const checks = [...quarantined].map(async ([name, { until }]) => {
        if (!deps.clusters().some((entry) => entry.name === name)) return void state.clusters.release(name);
        if (now() < until || (await troubleOf(deps, name)) !== null) return;
        await releaseCluster(deps, name);
      });
      await Promise.all(checks);
    },
  };
}

/** Why the cluster is not fit for use yet; null: it is. */
async function troubleOf({ bus, log }: Deps, cluster: string): Promise<string | null> {
  try {
    const options = { schema: ClusterCheckReply, timeoutMs: checkWithinMs };
    const { trouble } = await bus.request(subjects.checkCluster(cluster), { cluster }, options);
    return trouble;
  } catch (thrown) {
    const { message } = AppError.from(thrown);
    log.debug({ cluster, error_message: message }, "no injector could check a cluster");
    return message;
  }
}

/** Its arenas get another chance too, beginning with a deployment from nothing. False: nothing was quarantined. */
export async function releaseCluster(
  { state, log, dispatchSoon }: Pick<Deps, "state" | "log" | "dispatchSoon">,
  cluster: string,
): Promise<boolean> {
  const arenas = await state.arenas.list();
  const closed = arenas.filter((arena) => arena.cluster === cluster && arena.quarantined !== null);
  for (const arena of closed) await state.arenas.readmit(arena);
  const wasQuarantined = await state.clusters.release(cluster);
  if (!wasQuarantined && closed.length === 0) return false;
  log.info({ cluster, arenas: closed.length }, "a cluster is taken back from its quarantine");
  dispatchSoon();
  return true;
}
