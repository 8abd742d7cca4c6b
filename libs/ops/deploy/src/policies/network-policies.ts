import type { KubeObject } from "@microremed/cluster";
import {
  type PolicyPod as AnyPod,
  type PolicyCluster,
  type PolicySpec,
  policyOf,
  type PolicyEnd as RulesEnd,
  refusedWay,
} from "@microremed/kube-rules";

/** A pod as policies see it. */
export interface PolicyPod extends AnyPod {
  /** Numbers of its named ports. */
  readonly ports: Readonly<Record<string, number>>;
}

/** One end of a connection: a pod, or an address outside the cluster. */
export type PolicyEnd = RulesEnd<PolicyPod>;

const refusals = { egress: "the way out of its pod", ingress: "the way into the other" } as const;

/** Who refuses a connection. */
export type Refusal = (typeof refusals)[keyof typeof refusals];

/** The policy that refuses a TCP connection; undefined: none. */
export type Judge = (from: PolicyEnd, to: PolicyEnd, port: number) => Refusal | undefined;

/** What the NetworkPolicies among these objects allow, by Kubernetes' rules. Namespaces' labels are taken from them too. */
export function judgeOf(objects: readonly KubeObject[]): Judge {
  const policies = objects
    .filter(({ kind }) => kind === "NetworkPolicy")
    .map(({ metadata, spec }) => policyOf(metadata.namespace ?? "", spec as PolicySpec));
  const cluster: PolicyCluster<PolicyPod> = {
    policies: () => policies,
    labelsOf: (namespace) => {
      const isIt = ({ kind, metadata }: KubeObject): boolean =>
        kind === "Namespace" && metadata.name === namespace;
      return { ...objects.find(isIt)?.metadata.labels, "kubernetes.io/metadata.name": namespace };
    },
    portOf: ({ ports }, name) => ports[name],
  };
  return (from, to, port) => {
    // No policy keeps a pod from itself.
    if (from.ip === to.ip) return undefined;
    const way = refusedWay(cluster, from, to, { protocol: "TCP", port });
    return way && refusals[way];
  };
}
