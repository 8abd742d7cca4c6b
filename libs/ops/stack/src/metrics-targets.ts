import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Lists where each service's `/metrics` is, as Prometheus' file-based service discovery reads it. */
export async function writeMetricsTargets(
  dir: string,
  services: readonly { readonly name: string; readonly healthUrl: string }[],
): Promise<void> {
  const groups = services.map(({ name, healthUrl }) => ({
    targets: [new URL(healthUrl).host],
    labels: { job: "microremed", replica: name },
  }));
  const file = join(dir, "metrics-targets.json");
  await writeFile(`${file}.new`, `${JSON.stringify(groups, null, 2)}\n`);
  // Prometheus reads the file whenever it changes, never half of it.
  await rename(`${file}.new`, file);
}
