import { type EpisodeDocument, experimentIdOf, RangeKind } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { createReport, type Report, type ReportStatus } from "@microremed/scoring";
import type { Context } from "./context.ts";
import { readEpisodes } from "./episode-source.ts";

/**
 * The report of the saved episodes of one experiment. Throws `invalid-request` when a file is no saved episode, or when
 * the files belong to several experiments.
 */
export async function savedReport(context: Context, source: string): Promise<Report> {
  const documents = await readEpisodes(context, source);
  const [first, ...others] = documents;
  const ids = new Set(documents.map(({ id }) => experimentIdOf(id)));
  if (first === undefined || ids.size > 1) {
    const names = [...ids].slice(0, 5).join(", ");
    throw terminal(
      "invalid-request",
      `${source} holds episodes of ${ids.size} experiments (${names}); expected one`,
    );
  }
  const records = [first, ...others].map(recordOf);
  const { request, metadata } = first;
  return createReport(
    {
      id: experimentIdOf(first.id),
      request,
      status: statusOf(records),
      harnessVersion: String(metadata["harnessVersion"] ?? "unknown"),
      range: RangeKind.catch("processes").parse(metadata["range"]),
    },
    records,
  );
}

/** No range runs what is saved in a directory. */
function statusOf(records: readonly Pick<EpisodeDocument, "outcome">[]): ReportStatus {
  if (records.some(({ outcome }) => outcome === null)) return "interrupted";
  return records.some(({ outcome }) => outcome === "cancelled") ? "cancelled" : "completed";
}

const recordOf = ({ metadata: _, request: __, conversation: ___, ...record }: EpisodeDocument) => record;
