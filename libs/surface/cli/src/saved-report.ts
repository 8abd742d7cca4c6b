import { type EpisodeDocument, experimentIdOf, RangeKind } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";
import { createReport, type Report, type ReportStatus } from "@microremed/scoring";
import { checkSaved, type SavedCheck } from "./check-saved.ts";
import type { Context } from "./context.ts";
import { readEpisodes } from "./episode-source.ts";

/**
 * The report of the saved episodes of one experiment. It says what of the run is missing, and names episodes whose outcome does not
 * follow from what is saved; `catalogue` has the entries that the run used. Throws `invalid-request` when a file is no saved episode, or when
 * the files belong to several experiments.
 */
export async function savedReport(context: Context, source: string, catalogue: Catalogue): Promise<Report> {
  return await reportOf(await readEpisodes(context, source), source, catalogue);
}

/** The same of episodes that have been read. */
export async function reportOf(
  documents: readonly EpisodeDocument[],
  source: string,
  catalogue: Catalogue,
): Promise<Report> {
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
  const check = await checkSaved(documents, catalogue);
  return createReport(
    {
      id: experimentIdOf(first.id),
      request,
      status: statusOf(records, check),
      ...check,
      harnessVersion: String(metadata["harnessVersion"] ?? "unknown"),
      range: RangeKind.catch("processes").parse(metadata["range"]),
    },
    records,
  );
}

/** No range runs what is saved in a directory. */
function statusOf(
  records: readonly Pick<EpisodeDocument, "outcome">[],
  { planned }: Pick<SavedCheck, "planned">,
): ReportStatus {
  if (records.some(({ outcome }) => outcome === null)) return "interrupted";
  if (planned !== null && planned > records.length) return "incomplete";
  return records.some(({ outcome }) => outcome === "cancelled") ? "cancelled" : "completed";
}

const recordOf = ({ metadata: _, request: __, conversation: ___, ...record }: EpisodeDocument) => record;
