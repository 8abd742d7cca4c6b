import { mkdir, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ArenaContext } from "@microremed/arena";
import type { Clusters } from "@microremed/cluster";
import type { CommandOf } from "@microremed/contracts";
import { createCollector, packTelemetry, telemetryFile } from "@microremed/telemetry";

/** The system was healthy for so long before its baseline was taken, ms: requests were counted meanwhile. */
const healthyMs = 30_000;
/** As often as embedded clusters measure, s: an agent may act within seconds. */
const stepSeconds = 5;
const timeoutMs = 30_000;

/**
 * Writes what the cluster still has of an episode's telemetry. The file is there as a whole or not at all; one that is there
 * stays, because a command that comes again may find an arena that is half restored. An episode without a baseline has
 * none. That telemetry cannot be saved is logged, and does not keep the arena from being restored.
 */
export async function saveTelemetry(
  directory: string,
  { episodeId, trial, baseline }: Pick<CommandOf<"restore">, "episodeId" | "trial" | "baseline">,
  { cluster, namespace, signal, log }: ArenaContext,
  entries: Clusters["entries"],
): Promise<void> {
  if (!baseline) return;
  try {
    const path = join(directory, telemetryFile(episodeId, trial));
    if (await stat(path).catch(() => undefined)) return;
    const { prometheus, jaeger } = entries.find(({ name }) => name === cluster.name) ?? {};
    const from = baseline.takenAt - healthyMs;
    const to = await cluster.clock.now();
    const collector = createCollector({ cluster, namespace, prometheus, jaeger, timeoutMs, signal }, from);
    const window = await collector.window({ from, to, stepSeconds });
    await mkdir(directory, { recursive: true });
    await writeFile(`${path}.part`, packTelemetry({ version: 1, episodeId, trial, window }));
    await rename(`${path}.part`, path);
  } catch (error) {
    log.warn({ episodeId, error: String(error) }, "telemetry not saved");
  }
}
