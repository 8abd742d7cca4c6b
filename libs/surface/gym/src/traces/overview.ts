import { commonCalls, type EvidenceCall, shellCall } from "@microremed/catalogue";
import type { Rng } from "@microremed/core";

/** Where an expert is. `named`: the workload that the report names; null: none. */
export interface Where {
  readonly namespace: string;
  readonly named: string | null;
}

/** A call, and in words what it is for. */
export interface Overview {
  readonly call: EvidenceCall;
  readonly what: string;
}

const anywhere: readonly ((where: Where) => Overview)[] = [
  ({ namespace }) => ({ call: shellCall(`kubectl -n ${namespace} get pods`), what: "list the pods" }),
  ({ namespace }) => ({
    call: shellCall(`kubectl -n ${namespace} get pods -o wide`),
    what: "list the pods with their nodes",
  }),
  ({ namespace }) => ({
    call: shellCall(`kubectl -n ${namespace} get deployments,statefulsets`),
    what: "see which workloads are complete",
  }),
  ({ namespace }) => ({
    call: shellCall(`kubectl get services,endpoints -n ${namespace}`),
    what: "compare services with their endpoints",
  }),
  ({ namespace }) => ({
    call: shellCall(`kubectl get events -n ${namespace} --sort-by=.lastTimestamp | tail -n 15`),
    what: "read the latest events",
  }),
  () => ({ call: commonCalls.warnings, what: "read the warnings" }),
  () => ({ call: { tool: "get_events", arguments: { limit: 20 } }, what: "get the last events" }),
  () => ({ call: { tool: "query_metrics", arguments: {} }, what: "see what every container uses" }),
  () => ({
    call: { tool: "query_metrics", arguments: { metric: "errors", since: "5m", top: 5 } },
    what: "see where requests fail",
  }),
  () => ({
    call: { tool: "query_metrics", arguments: { metric: "latency", since: "5m", top: 5, compare: "5m" } },
    what: "see which latencies have changed",
  }),
  () => ({ call: commonCalls.topology, what: "see how the services call each other" }),
  () => ({
    call: { tool: "search_traces", arguments: { errors: true, limit: 5 } },
    what: "find failed requests",
  }),
  () => ({ call: { tool: "search_traces", arguments: { limit: 5 } }, what: "read the slowest requests" }),
];

const atWorkload: readonly ((name: string, where: Where) => Overview)[] = [
  (name) => ({
    call: { tool: "get_logs", arguments: { of: `deployment/${name}`, lines: 20 } },
    what: `read what ${name} has logged`,
  }),
  (name, { namespace }) => ({
    call: shellCall(`kubectl -n ${namespace} describe deployment ${name}`),
    what: `describe ${name}`,
  }),
  (name) => ({
    call: { tool: "describe", arguments: { of: `deployment/${name}` } },
    what: `read what is known of ${name}, which the report names`,
  }),
  (name) => ({
    call: { tool: "get_events", arguments: { of: `deployment/${name}` } },
    what: `get the events of ${name}`,
  }),
];

/** A call that one begins with. */
export function drawOverview(rng: Rng, where: Where): Overview {
  const { named } = where;
  if (named !== null && rng.int(2) === 0) return rng.pick(atWorkload)(named, where);
  return rng.pick(anywhere)(where);
}

/** A call that is wrong, and the one that was meant. */
export function drawSlip(rng: Rng, { namespace, named }: Where) {
  const slips = [
    {
      wrong: shellCall(`kubectl -n ${namespace.slice(0, -1)} get replicasets`),
      right: shellCall(`kubectl -n ${namespace} get replicasets`),
      what: "list the replica sets",
    },
    {
      wrong: shellCall(`kubectl -n ${namespace} get pod --sort-by=.status.startTim`),
      right: shellCall(`kubectl -n ${namespace} get pods --sort-by=.status.startTime`),
      what: "see which pods are new",
    },
    {
      wrong: shellCall(`kubectl -n ${namespace} get deploymnts`),
      right: shellCall(`kubectl -n ${namespace} get deployments`),
      what: "list the deployments",
    },
    ...(named === null
      ? []
      : [
          {
            wrong: { tool: "describe", arguments: { of: `deployment/${named}-service` } },
            right: { tool: "describe", arguments: { of: `deployment/${named}` } },
            what: `describe ${named}`,
          },
          {
            wrong: shellCall(`kubectl -n ${namespace} get pods -l app=${named}-v1`),
            right: shellCall(`kubectl -n ${namespace} get pods --show-labels | grep ${named}`),
            what: `list the pods of ${named}`,
          },
        ]),
  ];
  return rng.pick(slips);
}
