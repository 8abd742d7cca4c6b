import type { KubeObject, Loose } from "@microremed/sim-objects";
import { age, humanDuration } from "../resource-type/age.ts";
import {
  ageColumn,
  containerCells,
  containerColumns,
  integer,
  labelsText,
  nameColumn,
  orNone,
  text,
} from "../resource-type/columns.ts";
import type { Printer } from "../resource-type/resource-type.ts";

const born = (object: KubeObject, now: number): string => age(object.metadata.creationTimestamp, now);

export const deploymentPrinter: Printer = {
  columns: [nameColumn, text("Ready"), text("Up-to-date"), text("Available"), ageColumn, ...containerColumns],
  cells: (object, now) => [
    object.metadata.name,
    `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`,
    object.status?.updatedReplicas ?? 0,
    object.status?.availableReplicas ?? 0,
    born(object, now),
    ...containerCells(object),
  ],
};

export const replicaSetPrinter: Printer = {
  columns: [
    nameColumn,
    integer("Desired"),
    integer("Current"),
    integer("Ready"),
    ageColumn,
    ...containerColumns,
  ],
  cells: (object, now) => [
    object.metadata.name,
    object.spec?.replicas ?? 0,
    object.status?.replicas ?? 0,
    object.status?.readyReplicas ?? 0,
    born(object, now),
    ...containerCells(object),
  ],
};

/** As a ReplicaSet; the selector is a map of labels. */
export const replicationControllerPrinter: Printer = {
  columns: replicaSetPrinter.columns,
  cells: (object, now) => {
    const spec = { ...object.spec, selector: { matchLabels: object.spec?.selector } };
    return replicaSetPrinter.cells({ ...object, spec }, now);
  },
};

export const statefulSetPrinter: Printer = {
  columns: [nameColumn, text("Ready"), ageColumn, ...containerColumns.slice(0, 2)],
  cells: (object, now) => [
    object.metadata.name,
    `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`,
    born(object, now),
    ...containerCells(object).slice(0, 2),
  ],
};

export const daemonSetPrinter: Printer = {
  columns: [
    nameColumn,
    integer("Desired"),
    integer("Current"),
    integer("Ready"),
    integer("Up-to-date"),
    integer("Available"),
    text("Node Selector"),
    ageColumn,
    ...containerColumns,
  ],
  cells: (object, now) => [
    object.metadata.name,
    object.status?.desiredNumberScheduled ?? 0,
    object.status?.currentNumberScheduled ?? 0,
    object.status?.numberReady ?? 0,
    object.status?.updatedNumberScheduled ?? 0,
    object.status?.numberAvailable ?? 0,
    labelsText(object.spec?.template?.spec?.nodeSelector),
    born(object, now),
    ...containerCells(object),
  ],
};

function jobStatus(job: KubeObject): string {
  const isTrue = (type: string): boolean =>
    (job.status?.conditions ?? []).some((c: Loose) => c.type === type && c.status === "True");
  if (isTrue("Complete")) return "Complete";
  if (isTrue("Failed")) return "Failed";
  if (job.metadata.deletionTimestamp) return "Terminating";
  if (isTrue("Suspended")) return "Suspended";
  return isTrue("FailureTarget") ? "FailureTarget" : "Running";
}

function completions(job: KubeObject): string {
  const done = job.status?.succeeded ?? 0;
  const { completions: wanted, parallelism = 0 } = job.spec ?? {};
  if (wanted !== undefined && wanted !== null) return `${done}/${wanted}`;
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
}

export const jobPrinter: Printer = {
  columns: [
    nameColumn,
    text("Status"),
    text("Completions"),
    text("Duration"),
    ageColumn,
    ...containerColumns,
  ],
  cells(job, now) {
    const { startTime, completionTime } = job.status ?? {};
    const end = completionTime ? Date.parse(completionTime) : now;
    return [
      job.metadata.name,
      jobStatus(job),
      completions(job),
      startTime ? humanDuration(end - Date.parse(startTime)) : "",
      born(job, now),
      ...containerCells(job),
    ];
  },
};

export const cronJobPrinter: Printer = {
  columns: [
    nameColumn,
    text("Schedule"),
    text("Timezone"),
    text("Suspend"),
    integer("Active"),
    text("Last Schedule"),
    ageColumn,
    ...containerColumns,
  ],
  cells: (object, now) => [
    object.metadata.name,
    object.spec?.schedule ?? "",
    orNone(object.spec?.timeZone),
    object.spec?.suspend ? "True" : "False",
    object.status?.active?.length ?? 0,
    object.status?.lastScheduleTime ? age(object.status.lastScheduleTime, now) : "<none>",
    born(object, now),
    ...containerCells({ ...object, spec: object.spec?.jobTemplate?.spec }),
  ],
};
