import { type Environment, type Place, targetOf } from "@microremed/catalogue";
import { harnessNamespace } from "@microremed/cluster";
import { type PolicyPort, type PolicySpec, policyOf, refusedWay } from "@microremed/kube-rules";
import { proberLabels } from "./prober.ts";

const namespace = "arena";
/** Its address is not known beforehand: only a block of all addresses has it for sure. */
const prober = { namespace: harnessNamespace, labels: proberLabels, ip: "0.0.0.0" };
const icmp = "icmp";

/**
 * What the environment's own NetworkPolicies let not pass of what the prober asks of a target's pods: an echo, and a connection to each TCP port
 * that they declare. Undefined: they let all of it pass.
 */
function keptOut(
  { manifests }: Environment,
  { workload }: Place,
): { readonly policies: readonly string[]; readonly refused: readonly string[] } | undefined {
  const policies = manifests
    .filter(({ kind }) => kind === "NetworkPolicy")
    .map(({ metadata, spec }) => ({ name: metadata.name, ...policyOf(namespace, spec as PolicySpec) }));
  const { labels, containers } = workload;
  const ports = containers.flatMap((one) => one.ports.filter(({ protocol }) => protocol === undefined));
  const cluster = {
    policies: () => policies,
    labelsOf: (name: string) => ({ "kubernetes.io/metadata.name": name }),
    portOf: (_: unknown, name: string) => ports.find((one) => one.name === name)?.containerPort,
  };
  const asked: PolicyPort[] = [
    icmp,
    ...ports.map(({ containerPort: port }) => ({ protocol: "TCP", port }) as const),
  ];
  const pod = { namespace, labels, ip: "" };
  const refused = asked.filter((port) => refusedWay(cluster, prober, pod, port) === "ingress");
  if (refused.length === 0) return undefined;
  const selecting = policies.filter(
    (policy) =>
      refusedWay({ ...cluster, policies: () => [{ ...policy, ingress: [] }] }, prober, pod, icmp) &&
      policy.ingress,
  );
  return {
    policies: selecting.map(({ name }) => name),
    refused: refused.map((port) => (port === icmp ? "echo requests" : `port ${port.port}`)),
  };
}

/** Says it, and what would let the prober in; undefined: nothing keeps it out. */
export function keptOutText(environment: Environment, target: string): string | undefined {
  const place = targetOf(environment, target);
  const found = place && keptOut(environment, place);
  if (!found) return undefined;
  const { policies, refused } = found;
  const pods = `the pods of namespace ${harnessNamespace} with the label app=${proberLabels.app}`;
  return `NetworkPolicy ${policies.join(", ")} keeps the prober out of ${target} (${refused.join(", ")}); let ${pods} in there, by a rule without ports`;
}
