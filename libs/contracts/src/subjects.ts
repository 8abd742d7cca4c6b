import { cancelRequest } from "./messages/cancel-request.ts";
import { clusterCheck } from "./messages/cluster-check.ts";
import { clusterRelease } from "./messages/cluster-release.ts";
import { clustersQuery } from "./messages/clusters-query.ts";
import { conversationQuery } from "./messages/conversation-query.ts";
import { deadLetter } from "./messages/dead-letter.ts";
import { patternOf, subjectOf } from "./messages/define-message.ts";
import { experimentListQuery } from "./messages/experiment-list.ts";
import { experimentQuery } from "./messages/experiment-query.ts";
import { experimentRequest } from "./messages/experiment-request.ts";
import { giveBackQuery } from "./messages/give-back-query.ts";
import { judgeRequest } from "./messages/judge-request.ts";
import { modelCheck } from "./messages/model-check.ts";
import { playbookAnswer } from "./messages/playbook-answer.ts";
import { probeRequest } from "./messages/probe-request.ts";
import { rangeEvent } from "./messages/range-event.ts";
import { stageResult } from "./messages/stage-result.ts";
import { turnMove } from "./messages/turn-move.ts";
import { turnsQuery } from "./messages/turns-query.ts";
import { type Stage, stages } from "./stages/stages.ts";
import { subjectToken } from "./subject-token.ts";

/** The subjects of the catalogue's messages, by short names. */
export const subjects = {
  submit: experimentRequest.subject,
  cancel: cancelRequest.subject,
  /** `shard` is a cluster's name or a model's, as the stage says. */
  command: (stage: Stage, shard: string) =>
    patternOf(stages[stage].message).replace("*", subjectToken(shard)),
  /** The commands of a stage for every cluster or model. */
  commandOfAll: (stage: Stage) => patternOf(stages[stage].message),
  result: (stage: Stage) => subjectOf(stageResult, { stage }),
  /** `episode` is `-` for events of the whole experiment. */
  event: (experiment: string, episode: string, type: string) =>
    subjectOf(rangeEvent, { experiment, episode, type }),
  eventsOf: (experiment: string) => `microremed.events.${subjectToken(experiment)}.>`,
  deadLetter: (service: string) => subjectOf(deadLetter, { service }),
  probe: (cluster: string) => subjectOf(probeRequest, { cluster }),
  answer: (episode: string) => subjectOf(playbookAnswer, { episode }),
  turn: (episode: string) => subjectOf(turnMove, { episode }),
  turnsQuery: turnsQuery.subject,
  giveBack: giveBackQuery.subject,
  experimentQuery: experimentQuery.subject,
  experimentList: experimentListQuery.subject,
  conversationQuery: conversationQuery.subject,
  checkCluster: (cluster: string) => subjectOf(clusterCheck, { cluster }),
  /** `*`: of every model, for those who answer. */
  checkModel: (model: string) => (model === "*" ? patternOf(modelCheck) : subjectOf(modelCheck, { model })),
  /** `*`: of every model, for those who answer. */
  judge: (model: string) => (model === "*" ? patternOf(judgeRequest) : subjectOf(judgeRequest, { model })),
  clustersQuery: clustersQuery.subject,
  clusterRelease: clusterRelease.subject,
} as const;

/** The stage that a subject of a command or a result is about. */
export function stageOfSubject(subject: string): Stage | undefined {
  const [, kind, name = ""] = subject.split(".");
  if (kind !== "commands" && kind !== "results") return undefined;
  return Object.hasOwn(stages, name) ? (name as Stage) : undefined;
}
