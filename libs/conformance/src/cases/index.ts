import type { Area } from "../case.types.ts";
import { certificates, config, portForward, proxy } from "./access.ts";
import { ansibleCases } from "./ansible.ts";
import { clientSideApply, serverSideApply } from "./apply.ts";
import { exposeAndRun, labels, patch, scale, set } from "./change.ts";
import { admission, experiments, remediation } from "./chaos.ts";
import { auth, discovery, namespaces, nodes } from "./cluster.ts";
import { create } from "./create.ts";
import { customResources, customRules } from "./custom-resources.ts";
import { describe } from "./describe.ts";
import { get } from "./get.ts";
import { events, garbage, machinery, selectors, watches } from "./machinery.ts";
import { limits, services, storage } from "./network.ts";
import { openApi } from "./openapi.ts";
import { deletion, exec, kubelet, logs, top, wait } from "./pods.ts";
import { pythonCases } from "./python.ts";
import { resizing } from "./resize.ts";
import { deployments, rollout } from "./rollout.ts";
import { validation } from "./validation.ts";
import { autoscalers, budgets, cronJobs, daemonSets, jobs, replicaSets, statefulSets } from "./workloads.ts";

/** All cases, in the order of the report. */
export const areas: readonly Area[] = [
  get,
  describe,
  clientSideApply,
  serverSideApply,
  create,
  patch,
  scale,
  rollout,
  set,
  labels,
  exposeAndRun,
  logs,
  exec,
  portForward,
  top,
  wait,
  deletion,
  discovery,
  openApi,
  auth,
  certificates,
  config,
  proxy,
  nodes,
  namespaces,
  machinery,
  selectors,
  watches,
  garbage,
  events,
  validation,
  deployments,
  replicaSets,
  statefulSets,
  daemonSets,
  jobs,
  cronJobs,
  autoscalers,
  budgets,
  kubelet,
  resizing,
  services,
  storage,
  limits,
  customResources,
  customRules,
  admission,
  experiments,
  remediation,
  ansibleCases,
  pythonCases,
];
