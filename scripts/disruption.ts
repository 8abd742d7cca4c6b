import { parseArgs } from "node:util";
import { silentLogger } from "@microremed/core";
import {
  type DisruptionOptions,
  type DisruptionReport,
  runDisruption,
} from "../libs/ops/disruption/src/index.ts";

const usage = `npm run test:disruption -- [--stages stub|real] [--episodes 250] [--seed 1] [--attacks 300] [--crashes 20] [--output table|json]

Runs two experiments of so many episodes undisturbed and then, in rounds, under attack, until at least --attacks services
were killed or paused and NATS and Redis crashed --crashes times each. Links between services and servers are cut and
slowed meanwhile, and the services' clocks jump. Exit code 1 when anything differs or is left.
  --full-disks  the disks of the servers fill up too, and that of NATS' streams takes no writes, where some can be mounted
                (root and loop devices)
  --clusters    embedded clusters are killed too (with --stages real)
  stub   the real bus, Redis and schedulers; the stages write a ledger instead of changing a cluster (default)
  real   all services on embedded clusters, with real playbooks`;

const { values } = parseArgs({
  options: {
    stages: { type: "string", default: "stub" },
    episodes: { type: "string", default: "250" },
    seed: { type: "string", default: "1" },
    attacks: { type: "string", default: "300" },
    crashes: { type: "string", default: "20" },
    output: { type: "string", default: "table" },
    timeout: { type: "string", default: "900" },
    verbose: { type: "boolean", default: false },
    "full-disks": { type: "boolean", default: false },
    clusters: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const isReal = values.stages === "real";
const seed = Number(values.seed);
const options: DisruptionOptions = {
  stages: isReal ? "real" : "stub",
  episodes: Number(values.episodes),
  experiments: isReal
    ? [
        { model: "reference/runbook", seed },
        { model: "reference/noop", method: "SoloGen", seed },
      ]
    : [
        { model: "reference/runbook", seed, maxParallel: 64 },
        { model: "reference/noop", seed: seed + 1, maxParallel: 64 },
      ],
  clusters: 4,
  replicas: 2,
  seed,
  everyMs: isReal ? 2_500 : 1_200,
  shares: {
    pause: 0.12,
    crash: 0.15,
    link: 0.2,
    disk: values["full-disks"] ? (isReal ? 0.1 : 0.03) : 0,
    cluster: values.clusters && isReal ? 0.06 : 0,
  },
  clockJumps: true,
  longestPauseMs: 25_000,
  atLeast: { attacks: Number(values.attacks), crashes: Number(values.crashes) },
  timeoutMs: Number(values.timeout) * 1000,
  log: values.verbose
    ? {
        ...silentLogger,
        debug: console.error,
        info: console.error,
        warn: console.error,
        error: console.error,
      }
    : silentLogger,
};
const report = await runDisruption(options);
console.log(values.output === "json" ? JSON.stringify(report, null, 2) : table(report));
process.exit(report.wrong.length === 0 ? 0 : 1);

function table({ episodes, seconds, damage, skipped, repeated, wrong }: DisruptionReport): string {
  const rows = {
    "episodes under attack": episodes,
    "seconds of a round, undisturbed": seconds.undisturbed.toFixed(1),
    "seconds of a round, under attack": seconds.disturbed.toFixed(1),
    "services killed": damage.killed,
    "services paused": damage.paused,
    "crashes of NATS": damage.natsCrashes,
    "crashes of Redis": damage.redisCrashes,
    "links cut": damage.linksCut,
    "links slowed or silenced": damage.linksSlowed,
    "disks filled": damage.disksFilled,
    "stores of NATS that took no writes": damage.storesReadOnly,
    "embedded clusters killed": damage.clustersKilled,
    "commands restarted by another replica": repeated,
    "wrong or left over": wrong.length,
  };
  const lines = Object.entries(rows).map(([what, value]) => `${what.padEnd(38)} ${value}`);
  return [...lines, ...skipped.map((why) => `left out: ${why}`), ...wrong.slice(0, 50)].join("\n");
}
