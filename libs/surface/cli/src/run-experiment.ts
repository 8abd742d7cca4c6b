import type { RangeClient } from "@microremed/range-client";
import type { Report } from "@microremed/scoring";
import type { Context } from "./context.ts";
import { createKeeper, type KeeperOptions, type Part } from "./episode-keeper.ts";
import { exitCodes } from "./exit-codes.ts";
import { followExperiments } from "./follow.ts";

export interface RunResult {
  readonly report: Report;
  readonly cancelled: boolean;
  /** The report is of the episodes that had ended when the command was interrupted. */
  readonly interrupted: boolean;
  /** Episodes that could not be read, or saved. */
  readonly lost: number;
}

/** An interrupted command still writes what has ended, ms. */
const lastWritesMs = 4_000;

/**
 * Follows experiments to their end, saves each episode when it ends, and makes one report of all. An interrupt gives the
 * report of what has ended. An episode that cannot be saved is tried again at the end; then it is said, and the others
 * are in the report.
 */
export async function runExperiment(
  context: Context,
  client: RangeClient,
  parts: readonly Part[],
  options: KeeperOptions,
): Promise<RunResult> {
  const { terminal, signal } = context;
  const keeper = await createKeeper(client, parts, options, terminal);
  const ids = parts.map(({ experimentId }) => experimentId);
  try {
    const statuses = await followExperiments(client, ids, terminal, signal, keeper.see);
    const lost = await keeper.finish();
    const cancelled = statuses.includes("cancelled");
    const report = keeper.report(cancelled ? "cancelled" : "completed");
    return { report, cancelled, interrupted: false, lost };
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
    await keeper.settle(lastWritesMs);
    return { report: keeper.report("interrupted"), cancelled: false, interrupted: true, lost: 0 };
  }
}

/** The exit code of a command that ran an experiment. */
export function exitCodeOf({ report, cancelled, interrupted, lost }: RunResult): number {
  if (interrupted) return exitCodes.interrupted.code;
  if (cancelled) return exitCodes.cancelled.code;
  if (lost > 0) return exitCodes.failed.code;
  return endedInErrors(report.episodes) ? exitCodes.harness.code : exitCodes.ok.code;
}

/** Whether nothing came out but errors of the harness, a cluster or a provider. */
export function endedInErrors(episodes: readonly { readonly outcome: string | null }[]): boolean {
  return episodes.length > 0 && episodes.every(({ outcome }) => outcome === "harness-error");
}
