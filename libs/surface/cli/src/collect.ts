import { drawsKeyOf } from "@microremed/contracts";
import type { RangeClient } from "@microremed/range-client";
import { createReport, type Report } from "@microremed/scoring";
import { prepareDirectory, saveEpisode, saveRequest } from "./save-episodes.ts";

/** Fetches an experiment and makes its report; with `savePath`, also writes one file per episode there. */
export async function collectReport(
  client: RangeClient,
  experimentId: string,
  savePath: string | undefined,
): Promise<Report> {
  const { experiment, episodes } = await client.experiment(experimentId);
  const request = { ...experiment.request, agentSeed: drawsKeyOf(experiment) };
  if (savePath !== undefined) {
    await prepareDirectory(savePath, experimentId);
    await saveRequest(savePath, request);
    for (const record of episodes) {
      await saveEpisode(savePath, experiment, record, await client.conversation(record.id));
    }
  }
  return createReport({ ...experiment, request }, episodes);
}
