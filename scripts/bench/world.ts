import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { environments, renderManifests } from "@microremed/environments";
import { createWorld, type World } from "@microremed/simcluster";
import type { Benchmark } from "./benchmark.ts";
import { median } from "./median.ts";

const namespace = "arena";
const system = "train-ticket";
const pods = { group: "", resource: "pods" };
const rounds = 5;
const clusters = 4;
const simulatedSeconds = 1200;

/** The embedded cluster without clients: stepped as fast as one core allows. */
export const world: Benchmark = {
  name: "world",
  description: `the embedded cluster with ${system} and no clients, on one core`,
  run: async () => {
    deployed()[Symbol.dispose]();
    const starts = Array.from({ length: rounds }, () => seconds(() => deployed()[Symbol.dispose]()));
    using running = deployed();
    const { loop } = running;
    loop.advance(60_000);
    const podSeconds = podToReady(running);
    const simulated = seconds(() => loop.advance(simulatedSeconds * 1000));
    const saves: number[] = [];
    const restores: number[] = [];
    for (let round = 0; round < rounds; round++) {
      let moment = running.snapshot();
      saves.push(seconds(() => (moment = running.snapshot())));
      loop.advance(10_000);
      restores.push(seconds(() => running.restore(moment)));
    }
    return [
      { what: `start until all pods of ${system} are Ready, CPU`, value: median(starts), unit: "s" },
      { what: "one pod from create to Ready, cluster time", value: podSeconds, unit: "s" },
      {
        what: "simulated seconds per CPU second, under load",
        value: simulatedSeconds / simulated,
        unit: "1/s",
      },
      { what: "snapshot, CPU", value: 1000 * median(saves), unit: "ms" },
      { what: "restore, CPU", value: 1000 * median(restores), unit: "ms" },
      { what: "heap per cluster after 10 minutes", value: heapPerCluster(), unit: "MiB" },
    ];
  },
};

function deployed(): World {
  const environment = environments.get(system);
  const made = createWorld({ seed: 1, environments: [environment] });
  made.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  for (const manifest of renderManifests(environment, { namespace })) made.apply(manifest);
  const count = Object.values(environment.workloads).reduce((sum, { replicas }) => sum + replicas, 0);
  while (readyPods(made) < count) made.loop.advance(250);
  return made;
}

function readyPods({ store }: World): number {
  return store
    .list(pods, namespace)
    .filter(({ status }) =>
      status?.conditions?.some(
        (condition: { type: string; status: string }) =>
          condition.type === "Ready" && condition.status === "True",
      ),
    ).length;
}

/** Cluster seconds from the creation of a pod until it is Ready. */
function podToReady(running: World): number {
  const began = running.loop.now();
  const before = readyPods(running);
  running.apply({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "alone", namespace },
    spec: { containers: [{ name: "main", image: "nginx:1.25" }] },
  });
  while (readyPods(running) === before) running.loop.advance(10);
  return (running.loop.now() - began) / 1000;
}

function heapPerCluster(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  const made = Array.from({ length: clusters }, deployed);
  for (const each of made) each.loop.advance(600_000);
  collect();
  const used = process.memoryUsage().heapUsed - before;
  for (const each of made) each[Symbol.dispose]();
  return used / clusters / 2 ** 20;
}

/** CPU time, so that what else runs on the machine counts little; the work is single-threaded. */
function seconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system: kernel } = process.cpuUsage(before);
  return (user + kernel) / 1e6;
}
