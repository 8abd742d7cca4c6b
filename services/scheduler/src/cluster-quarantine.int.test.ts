import {
  ClusterCheck,
  type ClusterCheckReply,
  ClusterList,
  ClusterReleaseReply,
  type RangeEvent,
  subjects,
} from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { expect, test } from "vitest";
import { allGoesWell, type Range, startRange } from "./testing/range.ts";

const request = { environment: "shop", model: "reference/noop" };
const reason = "cluster c1 did not answer";

/** A range on whose cluster c1 every stage fails while `down()`. */
async function rangeWith(down: () => boolean, code = "cluster-unreachable"): Promise<Range> {
  const range = await startRange((stage, command) => {
    if (stage !== "solve" && command.arena.cluster === "c1" && down()) throw terminal(code as never, reason);
    return allGoesWell(stage, command);
  });
  await Promise.all([range.addScheduler(), range.addScheduler()]);
  return range;
}

function injector(range: Range, cluster: string, trouble: () => string | null): Promise<AsyncDisposable> {
  const answer = async (): Promise<ClusterCheckReply> => ({ trouble: trouble() });
  return range.bus.serve(subjects.checkCluster(cluster), "injector", ClusterCheck, answer);
}

async function clusters(range: Range) {
  const options = { schema: ClusterList, timeoutMs: 5_000 };
  const { clusters } = await range.bus.request(subjects.clustersQuery, {}, options);
  return Object.fromEntries(clusters.map((cluster) => [cluster.name, cluster]));
}

function ends(events: readonly RangeEvent[]): string[] {
  return events.flatMap((event) => (event.type === "episode-finished" ? [event.outcome] : []));
}

test("a cluster that does not answer loses its episodes to the others, and is taken back once it answers", async () => {
  let down = true;
  await using range = await rangeWith(() => down);
  await using _injector = await injector(range, "c1", () => (down ? reason : null));
  await range.bus.submit({ ...request, id: "moved" });
  const events = await range.untilFinished("moved");
  expect(ends(events)).toEqual(Array(20).fill("remediated"));
  const { c1, c2 } = await clusters(range);
  expect(c1?.quarantine?.reason).toContain(reason);
  expect(c2?.quarantine).toBeNull();
  const tried = (await range.episodes("moved")).filter(({ trial }) => trial > 1).length;
  // No more of them than were under way there when it fell silent.
  expect(tried).toBeGreaterThan(0);
  expect(tried).toBeLessThanOrEqual(3);

  down = false;
  await expect.poll(async () => (await clusters(range))["c1"]?.quarantine).toBeNull();
  expect((await clusters(range))["c1"]?.arenas.map(({ state }) => state)).toEqual(["free", "free", "free"]);
  await range.bus.submit({ ...request, id: "back", clusters: ["c1"] });
  expect(ends(await range.untilFinished("back"))).toEqual(Array(20).fill("remediated"));
});

test("with no other cluster the episodes wait, saying why, and go on when it is released by hand", async () => {
  let down = true;
  await using range = await rangeWith(() => down);
  await range.bus.submit({ ...request, id: "alone", clusters: ["c1"] });
  const waits = Promise.withResolvers<string>();
  const ended = (async () => {
    const events: RangeEvent[] = [];
    for await (const event of range.bus.readEvents("alone", { signal: AbortSignal.timeout(50_000) })) {
      events.push(event);
      if (event.type === "experiment-waits") waits.resolve(event.reason);
      if (event.type === "experiment-finished") break;
    }
    return events;
  })();
  expect(await waits.promise).toContain(reason);
  // No injector runs, so there is no check: it stays as it is, and nothing is given up meanwhile.
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  expect((await clusters(range))["c1"]?.quarantine).not.toBeNull();
  expect((await range.episodes("alone")).filter(({ state }) => state === "done")).toEqual([]);

  down = false;
  const ask = (cluster: string) =>
    range.bus.request(
      subjects.clusterRelease,
      { cluster },
      { schema: ClusterReleaseReply, timeoutMs: 5_000 },
    );
  await expect(ask("c9")).rejects.toMatchObject({ code: "unknown-cluster" });
  expect(await ask("c2")).toEqual({ released: false });
  expect(await ask("c1")).toEqual({ released: true });
  expect(ends(await ended)).toEqual(Array(20).fill("remediated"));
});

test("a cluster that answers and on which everything fails is quarantined too, an environment that works nowhere is not blamed on it", async () => {
  let down = true;
  await using range = await rangeWith(() => down, "environment-unhealthy");
  await range.bus.submit({
    ...request,
    id: "nowhere",
    clusters: ["c1"],
    failures: Array(3).fill("cpu-stress"),
  });
  expect(ends(await range.untilFinished("nowhere"))).toEqual(Array(3).fill("harness-error"));
  expect((await clusters(range))["c1"]?.quarantine).toBeNull();

  await range.bus.submit({
    ...request,
    id: "works",
    clusters: ["c2"],
    failures: Array(3).fill("cpu-stress"),
  });
  await range.untilFinished("works");
  for (const { cluster, slot, quarantined } of await range.state.arenas.list())
    if (quarantined !== null) await range.state.arenas.readmit({ cluster, slot });
  await range.bus.submit({ ...request, id: "both", failures: Array(12).fill("cpu-stress") });
  expect(ends(await range.untilFinished("both"))).toEqual(Array(12).fill("remediated"));
  const { c1 } = await clusters(range);
  expect(c1?.quarantine).toMatchObject({ reason: expect.stringContaining(reason) });
  expect((c1?.quarantine?.until ?? 0) - (c1?.quarantine?.since ?? 0)).toBe(15 * 60_000);
  down = false;
});
