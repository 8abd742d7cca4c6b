import { type CauseLabels, type Evidence, evidenceBy, shellCall } from "@microremed/catalogue";

const owner = "{.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name}";
const states =
  "{range .status.containerStatuses[*]} {.name}={.state.running.startedAt}/{.state.terminated.reason}{end}";
/** A line for each pod of a Job: its Job, and of each container since when it runs or how it ended. */
const pods = shellCall(
  `kubectl get pods -o jsonpath='{range .items[*]}${owner}${states}{"\\n"}{end}' | grep '^Job/'`,
);

/** A Job's pod in which one container has completed and another one runs on: the Job never ends. */
export const sidecarThatStays = (labels: CauseLabels): Evidence =>
  evidenceBy([pods], ([listed = ""]) => {
    const found = new Map<string, string>();
    for (const [, cronJob = "", statuses = ""] of listed.matchAll(/^Job\/(\S+)-\d+ (.*)$/gm)) {
      const running = /(\S+)=\d[^/ ]*\/(?= |$)/.exec(statuses)?.[1];
      if (running !== undefined && statuses.includes("/Completed")) found.set(cronJob, running);
    }
    return [...found].map(([cronJob, container]) => ({
      object: { kind: "CronJob", name: cronJob },
      field: `spec.jobTemplate.spec.template.spec.containers[name=${container}]`,
      wrong: container,
      right: "none",
      workload: cronJob.replace(/^[a-z]+-of-/, ""),
      seen: "cause" as const,
      ...labels,
    }));
  });
