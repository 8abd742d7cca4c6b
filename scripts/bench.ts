import { parseArgs } from "node:util";
import { ansible } from "./bench/ansible.ts";
import { api } from "./bench/api.ts";
import type { Benchmark, Row } from "./bench/benchmark.ts";
import { episode } from "./bench/episode.ts";
import { gateway } from "./bench/gateway.ts";
import { growth } from "./bench/growth.ts";
import { gym } from "./bench/gym.ts";
import { imports } from "./bench/imports.ts";
import { machinery } from "./bench/machinery.ts";
import { oneProcess } from "./bench/one-process.ts";
import { replicas } from "./bench/replicas.ts";
import { storage } from "./bench/storage.ts";
import { turns } from "./bench/turns.ts";
import { world } from "./bench/world.ts";

/** Every benchmark; a new one is a file in bench/ and a line here. */
const benchmarks: readonly Benchmark[] = [
  episode,
  world,
  oneProcess,
  api,
  machinery,
  growth,
  replicas,
  ansible,
  turns,
  gateway,
  gym,
  storage,
  imports,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    output: { type: "string", short: "o", default: "table" },
    largest: { type: "string", default: "10000" },
    help: { type: "boolean", default: false },
  },
});
const known = benchmarks.map(({ name, description }) => `  ${name.padEnd(12)} ${description}`).join("\n");
const unknown = positionals.filter((name) => benchmarks.every((one) => one.name !== name));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`unknown: ${unknown.join(", ")}`);
  console.error(
    `npm run bench -- [--output table|json] [--largest EPISODES] [benchmark ...]\n\n${known}\n\n--largest: of one experiment, default 10000; 100000 take about half an hour`,
  );
  process.exit(unknown.length > 0 ? 2 : 0);
}

const results: Record<string, readonly Row[]> = {};
for (const { name, run } of benchmarks) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.error(`running ${name} ...`);
  const startedAt = performance.now();
  const measured = await run({ largest: Number(values.largest) });
  const rows = [
    ...measured,
    { what: "this benchmark took", value: (performance.now() - startedAt) / 1000, unit: "s" },
  ];
  if (values.output === "json") results[name] = rows;
  else console.log(table(name, rows));
}
if (values.output === "json") console.log(JSON.stringify(results, null, 2));
process.exit(0);

function table(name: string, rows: readonly Row[]): string {
  const lines = rows.map(({ what, value, unit }) => {
    const digits = value >= 100 ? 0 : 2;
    return `  ${what.padEnd(58)} ${value.toFixed(digits).padStart(10)} ${unit}`;
  });
  return [name, ...lines, ""].join("\n");
}
