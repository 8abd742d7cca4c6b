import { revisionPrinter } from "../printers/policy-printers.ts";
import {
  cronJobPrinter,
  daemonSetPrinter,
  deploymentPrinter,
  jobPrinter,
  replicaSetPrinter,
  statefulSetPrinter,
} from "../printers/workload-printers.ts";
import { inGroup, scaleSubresource } from "../resource-type/define.ts";
import type { ResourceType } from "../resource-type/resource-type.ts";

const apps = inGroup("apps", "v1");
const batch = inGroup("batch", "v1");
const categories = ["all"];
const subresources = [scaleSubresource];

export const workloadResources: readonly ResourceType[] = [
  apps("controllerrevisions", "ControllerRevision", { printer: revisionPrinter }),
  apps("daemonsets", "DaemonSet", { short: ["ds"], categories, printer: daemonSetPrinter }),
  apps("deployments", "Deployment", {
    short: ["deploy"],
    categories,
    subresources,
    printer: deploymentPrinter,
  }),
  apps("replicasets", "ReplicaSet", { short: ["rs"], categories, subresources, printer: replicaSetPrinter }),
  apps("statefulsets", "StatefulSet", {
    short: ["sts"],
    categories,
    subresources,
    printer: statefulSetPrinter,
  }),
  batch("cronjobs", "CronJob", { short: ["cj"], categories, printer: cronJobPrinter }),
  batch("jobs", "Job", { categories, printer: jobPrinter }),
];
