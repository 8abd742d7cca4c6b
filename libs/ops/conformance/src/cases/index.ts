import type { Area } from "../case.types.ts";
import { certificates, config, portForward, proxy } from "./access.ts";
import { ansibleCases } from "./ansible.ts";
import { clientSideApply, serverSideApply } from "./apply.ts";
import { exposeAndRun, labels, patch, scale, set } from "./change.ts";
import { admission } from "./chaos-admission.ts";
import { experiments } from "./chaos-experiments.ts";
import { remediation } from "./chaos-remediation.ts";
import { auth, discovery, namespaces, nodes } from "./cluster.ts";
import { create } from "./create.ts";
import { customResources, customRules } from "./custom-resources.ts";
import { deletion } from "./deletion.ts";
import { describe } from "./describe.ts";
import { events } from "./events.ts";
import { exec } from "./exec.ts";
import { garbage } from "./garbage.ts";
import { get } from "./get.ts";
import { kubelet } from "./kubelet.ts";
import { logs } from "./logs.ts";
import { machinery } from "./machinery.ts";
import { limits, services, storage } from "./network.ts";
import { openApi } from "./openapi.ts";
import { pythonCases } from "./python.ts";
import { resizing } from "./resize.ts";
import { deployments, rollout } from "./rollout.ts";
import { selectors } from "./selectors.ts";
import { top } from "./top.ts";
import { validation } from "./validation.ts";
import { wait } from "./wait.ts";
import { watches } from "./watches.ts";
import { autoscalers, budgets, cronJobs, daemonSets, jobs, replicaSets, replicationControllers, statefulSets } from "./workloads.ts";

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
  replicationControllers,
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
