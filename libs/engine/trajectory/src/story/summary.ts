import {
  attemptsOf,
  defaultTask,
  type EpisodeDocument,
  environmentOf,
  lastVerdictOf,
  taskOf,
  usageOf,
} from "@microremed/contracts";
import { episodeRow, type Table } from "@microremed/scoring";
import { moneyIn, secondsIn } from "./words.ts";

export function summaryTable(document: EpisodeDocument): Table {
  const { id, failure, target, caseId, model, method, arena, outcome, reason, request, trial } = document;
  const task = taskOf(document);
  const usage = usageOf(document);
  const published = lastVerdictOf(document)?.microremed;
  const { modelSeconds, clusterSeconds, machinerySeconds } = episodeRow(document);
  return [
    ["", ""],
    ["episode", id],
    ["case", caseId],
    ["failure", `${failure} on ${target} of ${environmentOf(document, request)}`],
    ["tried", `${model} with ${method}`],
    ...(task === defaultTask ? [] : [["task", task]]),
    ["arena", arena ? `namespace ${arena.namespace} on cluster ${arena.cluster}` : "none"],
    ["outcome", `${outcome ?? "unfinished"}: ${reason ?? "no reason yet"}`],
    ["published rules", published ? (published.recovered ? "recovered" : "not recovered") : "not asked"],
    ["attempts", `${attemptsOf(document).length}${trial > 1 ? `, in try ${trial} of the harness` : ""}`],
    ["model time", secondsIn(modelSeconds)],
    ["cluster time", `${secondsIn(clusterSeconds)} from the injection to the verdict`],
    ["machinery", `${secondsIn(machinerySeconds)} of wall clock besides the model's`],
    [
      "tokens",
      `${usage.promptTokens} prompt (${usage.cachedTokens} cached) and ${usage.completionTokens} completion (${usage.reasoningTokens} reasoning) in ${usage.calls} calls`,
    ],
    ["money", moneyIn(usage.cost)],
  ];
}
