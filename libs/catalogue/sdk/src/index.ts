export {
  type Chaos,
  type Cluster,
  type Container,
  type ContainerSample,
  type ExecResult,
  isRefused,
  type Kind,
  type KubeObject,
  kinds,
  operatorsQuota,
  operatorsRoles,
  type Pod,
  parseQuantity,
  type Resources,
  type Workload,
  webhooksOf,
} from "@microremed/cluster";
export {
  type AttemptFeedback,
  type Change,
  type ChatMessage,
  type EdgeBaseline,
  type Feedback,
  forbidsRecovery,
  type Grade,
  gradeOfVerdict,
  type LoadOrder,
  type LoadPattern,
  type Measurement,
  maxPlaybookLength,
  type OracleVerdict,
  type Verdict,
} from "@microremed/contracts";
export {
  AppError,
  counted,
  isJsonObject,
  parseJson,
  type Rng,
  retryable,
  shellWord,
  terminal,
  waitFor,
} from "@microremed/core";
export { podSecurityViolations, type SecuredPod, workloadInName } from "@microremed/kube-rules";
export { z } from "zod";
export * from "./affected-objects.ts";
export * from "./agent.ts";
export { answerLines } from "./answer-lines.ts";
export * from "./api-client.ts";
export { withApiDefaults } from "./api-defaults.ts";
export { readArenaNote, removeArenaNote, writeArenaNote } from "./arena-note.ts";
export { attemptReport } from "./attempt-report.ts";
export * from "./change-log.ts";
export * from "./chaos-fault.ts";
export { type ChaosFunctions, type ChaosObject, chaosObject } from "./chaos-object.ts";
export { chaosRepairs } from "./chaos-remedies.ts";
export { type AccountTrouble, runStatement } from "./database-account.ts";
export { type DatabaseFault, databaseFault } from "./database-fault.ts";
export {
  declaredDeployment,
  deploymentWithContainer,
  deploymentWithPods,
  withoutResource,
} from "./declared-deployment.ts";
export * from "./drawn/draw.ts";
export * from "./drawn/names.ts";
export * from "./drawn/values.ts";
export * from "./duration.ts";
export type { Entry, EntryKind, Unmarked } from "./entry.ts";
export * from "./environment/index.ts";
export * from "./evidence/acts-on.ts";
export { askRedis } from "./evidence/ask-redis.ts";
export * from "./evidence/changed-services.ts";
export * from "./evidence/changed-workloads.ts";
export * from "./evidence/changes.ts";
export * from "./evidence/common-calls.ts";
export { asksElsewhere, knownPorts } from "./evidence/container-ports.ts";
export * from "./evidence/evidence.ts";
export { imageEvidence } from "./evidence/image-evidence.ts";
export * from "./evidence/missing-right.ts";
export * from "./evidence/operated-evidence.ts";
export * from "./evidence/ping-sweep.ts";
export { readInside } from "./evidence/read-inside.ts";
export { refusedEvidence } from "./evidence/refused-evidence.ts";
export * from "./evidence/service-selectors.ts";
export { lacksPods, shortOfPods, startEvidence, unplacedEvidence } from "./evidence/short-of-pods.ts";
export { beforeStuckStarts, hasNoProgram, isInitialising, stuckStarts } from "./evidence/stuck-starts.ts";
export * from "./evidence/template-evidence.ts";
export * from "./evidence/update-strategies.ts";
export * from "./evidence/usage-at-limit.ts";
export * from "./evidence/workload-of-owner.ts";
export { type FailureReport, failureReport, parseFailureReport, symptomsOf } from "./failure-report.ts";
export * from "./fault.ts";
export { faultyVersion, faultyVersions, releaseOf, type VersionDefect } from "./faulty-versions.ts";
export { type FieldChange, manifestOf, rightValue, valueAt } from "./field-change.ts";
export { type FieldFault, fieldFault } from "./field-fault.ts";
export { type FlagFault, flagFault } from "./flag-fault.ts";
export { haveSameFlags } from "./flag-file.ts";
export * from "./ground-truth.ts";
export * from "./image-name.ts";
export { isLoaded, neededMillis, requestsPerSecond } from "./is-loaded.ts";
export { lastJsonObject } from "./last-json-object.ts";
export { lastSuccessOf } from "./last-success.ts";
export { dropLoad, isLoadFollowed, listLoadOrders, orderLoad } from "./load-order.ts";
export type * from "./measurements/arena-state.ts";
export * from "./measurements/consumer-lag.ts";
export * from "./measurements/edge-counts.ts";
export * from "./measurements/entry.ts";
export * from "./measurements/exposition.ts";
export * from "./measurements/objectives.ts";
export * from "./measurements/ping.ts";
export * from "./measurements/reach.ts";
export * from "./measurements/reconciled.ts";
export * from "./measurements/requests.ts";
export { rolloutProblems } from "./measurements/rollout.ts";
export * from "./measurements/target-state.ts";
export * from "./measurements/usage.ts";
export * from "./measurements/writes.ts";
export * from "./mechanisms.ts";
export { drawnTag, imageField, imageTag, missingImage, withTag } from "./missing-image.ts";
export { createStatement, type MongoAccess, type MongoTrouble, rolesText } from "./mongo-account.ts";
export { type MongoConfig, mongoConfig, mongoConfigOf, withTlsMode } from "./mongo-config.ts";
export { atMongo, type MongoFault, mongoFault } from "./mongo-fault.ts";
export { type NameFault, type NameRuleLines, nameFault } from "./name-service/name-fault.ts";
export {
  breakCorefile,
  dropRule,
  filterCorefile,
  mendNames,
  otherCode,
  serviceAgain,
} from "./name-service/name-remedies.ts";
export { zoneOf } from "./name-service/name-rules.ts";
export * from "./noise.ts";
export * from "./noise-parts.ts";
export { objectName } from "./object-name.ts";
export * from "./objects/call-distance.ts";
export * from "./objects/kube-kinds.ts";
export * from "./objects/object-ref.ts";
export * from "./objects/one-replica.ts";
export * from "./objects/same-field.ts";
export * from "./objects/same-object.ts";
export * from "./objects/wrong-objects.ts";
export {
  mendCommand,
  type Operated,
  operatedFault,
  operatedOf,
  operatedTarget,
  operatedWorkloads,
} from "./operated-fault.ts";
export * from "./oracle.ts";
export * from "./own-code/metric-rows.ts";
export * from "./own-code/workloads-of.ts";
export * from "./page-server.ts";
export { isOpenTo, keepsOff, otherNodes } from "./placement.ts";
export { noticeSeconds, noticesTooLate, type ProbeTimes } from "./probe-time.ts";
export * from "./problem.ts";
export { HeldOut, Information } from "./problem-parts.ts";
export * from "./problem-pool.ts";
export * from "./published-rule.ts";
export { accountArguments, type RedisAccount } from "./redis-accounts.ts";
export { refusedFault } from "./refused-fault.ts";
export { refusedStatus } from "./refused-pods.ts";
export { relabelledService } from "./relabelled-service.ts";
export * from "./remedy.ts";
export { releaseNodes, reserveNode } from "./reserved-node.ts";
export { revertConfiguration } from "./revert-configuration.ts";
export * from "./right-action.ts";
export { roleEntryFault } from "./role-entry.ts";
export { runInTarget } from "./run-in-target.ts";
export * from "./runbook.ts";
export { runtimeConfigMap, runtimeVariable } from "./runtime-variable.ts";
export { type ServerIdentity, serverIdentity } from "./server-identity.ts";
export * from "./service-runbook.ts";
export * from "./shell-playbook.ts";
export * from "./shortcuts.ts";
export * from "./statistics/binomial.ts";
export * from "./statistics/samples.ts";
export * from "./strength.ts";
export * from "./suite.ts";
export { type SwitchFault, switchFault } from "./switch-fault.ts";
export * from "./target.ts";
export * from "./target-selectors.ts";
export { offeredBehindServices, serviceOf } from "./target-services.ts";
export * from "./task.ts";
export * from "./tool.ts";
export { type PlacedFault, truthOf } from "./truth-of.ts";
export { valueInWords } from "./value-in-words.ts";
export { variableSetting } from "./variable-setting.ts";
export * from "./variables.ts";
export { judged, type SymptomVerdict, symptomOf } from "./verdict.ts";
export { type AskedWindow, isWatchQuestion, watchWords } from "./watch-words.ts";
export { type CausePart, declaredValue } from "./workload-change/edits.ts";
export * from "./workload-change/parts.ts";
export * from "./workload-change/remedies.ts";
export * from "./workload-change/workload-fault.ts";
export { endPods, podsOf, waitingPods } from "./workload-pods.ts";
