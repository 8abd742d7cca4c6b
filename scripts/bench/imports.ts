import { importEnvironment } from "@microremed/import";
import type { Benchmark } from "./benchmark.ts";

/** Workloads in a row, of which each calls the next one. Quadratic work shows as 16 times the CPU of four times the size. */
const sizes = [250, 1_000];

export const imports: Benchmark = {
  name: "imports",
  description: `CPU of importing manifests of ${sizes.join(" and ")} workloads with a Service each`,
  run: async () => {
    cpuSeconds(50);
    return sizes.map((count) => ({ what: `${count} workloads`, value: cpuSeconds(count), unit: "s of CPU" }));
  },
};

function cpuSeconds(count: number): number {
  const text = Array.from({ length: count }, (_, at) => manifests(at)).join("\n---\n");
  const before = process.cpuUsage();
  importEnvironment({ name: "row", texts: [{ name: "all.yaml", text }], source: "a benchmark" });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function manifests(at: number): string {
  const name = `part-${at}`;
  const metadata = { name };
  const labels = { app: name };
  const container = {
    name,
    image: `team/${name}:1`,
    env: [{ name: "NEXT_ADDR", value: `part-${at + 1}:80` }],
  };
  const template = { metadata: { labels }, spec: { containers: [container] } };
  const spec = { selector: { matchLabels: labels }, template };
  return [
    { apiVersion: "apps/v1", kind: "Deployment", metadata, spec },
    { apiVersion: "v1", kind: "Service", metadata, spec: { selector: labels, ports: [{ port: 80 }] } },
  ]
    .map((one) => JSON.stringify(one))
    .join("\n---\n");
}
