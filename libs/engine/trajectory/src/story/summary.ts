import {
  attemptsOf,
  defaultTask,
  type EpisodeDocument,
  environmentOf,
  lastVerdictOf,
  taskOf,
  usageOf,
} from "@microremed/contracts";
import { episodeRow, incidentText, type Table, type TaskRow } from "@microremed/scoring";
import { moneyIn, secondsIn } from "./words.ts";

export function summaryTable(document: EpisodeDocument): Table {
  const { id, problem, caseId, model, method, arena, outcome, reason, request, trial } = document;
  const task = taskOf(document);
  const usage = usageOf(document);
  const published = lastVerdictOf(document)?.microremed;
  const row = episodeRow(document, request.thinkTime);
  const { modelSeconds, clusterSeconds, machinerySeconds } = row;
  return [
    ["", ""],
    ["episode", id],
    ["case", caseId],
    ...(problem ? [["problem", problem.id]] : []),
    ["failure", `${incidentText(document)} of ${environmentOf(document, request)}`],
    ["tried", `${model} with ${method}`],
    ...(task === defaultTask && !problem ? [] : [["task", task]]),
    ["arena", arena ? `namespace ${arena.namespace} on cluster ${arena.cluster}` : "none"],
    ["outcome", `${outcome ?? "unfinished"}: ${reason ?? "no reason yet"}`],
    ...(row.tasks.length > 1 ? row.tasks.map((one) => [one.task, taskText(one)]) : []),
    ["published rules", published ? (published.recovered ? "recovered" : "not recovered") : "not asked"],
    [
      document.watched ? "windows" : "attempts",
      `${attemptsOf(document).length}${trial > 1 ? `, in try ${trial} of the harness` : ""}`,
    ],
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

/** How one task of a cycle went. */
function taskText({ passed, answered, score, seconds }: TaskRow): string {
  const how = answered ? `${passed ? "passed" : "failed"} with a score of ${score.toFixed(2)}` : "no answer";
  return seconds === null ? how : `${how}, ${secondsIn(seconds)} of cluster time after the injection`;
}
