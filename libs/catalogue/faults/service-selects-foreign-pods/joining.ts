import {
  type Environment,
  type FaultContext,
  kinds,
  kubectl,
  type RemedyContext,
  shellWord,
  targetOf,
} from "@microremed/catalogue";

type Labels = Readonly<Record<string, string>>;

/** How pods of others come among the endpoints of a target's Service. */
export interface Joining {
  /** What the Service selects by then. */
  readonly selector: Labels;
  /** Deployments whose pods get that label first, the target before the one whose pods join. Empty: they have it. */
  readonly labelled: readonly string[];
}

/** The label of a workload's pods that pods of the most other workloads have too; undefined: there is none. */
function sharedLabel({ workloads }: Environment, name: string): Labels | undefined {
  const { [name]: own, ...others } = workloads;
  const sharers = Object.entries(own?.labels ?? {}).map(([label, value]) => ({
    selector: { [label]: value },
    count: Object.values(others).filter(({ labels }) => labels[label] === value).length,
  }));
  return sharers.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count)[0]?.selector;
}

const partOf = "app.kubernetes.io/part-of";

/** The first Deployment that the target calls and that listens on none of its ports. */
function neighbourOf({ workloads }: Environment, name: string): string | undefined {
  const portsOf = (workload: string): number[] =>
    workloads[workload]?.containers.flatMap(({ ports }) => ports.map(({ containerPort }) => containerPort)) ??
    [];
  const own = portsOf(name);
  return workloads[name]?.calls
    .map(({ to }) => to)
    .find((to) => workloads[to]?.kind === "Deployment" && !portsOf(to).some((port) => own.includes(port)));
}

/** Undefined: no pods of another workload can join. */
export function joiningOf(environment: Environment, target: string): Joining | undefined {
  const name = targetOf(environment, target)?.name ?? "";
  const selector = sharedLabel(environment, name);
  if (selector) return { selector, labelled: [] };
  const neighbour = neighbourOf(environment, name);
  if (environment.workloads[name]?.kind !== "Deployment" || neighbour === undefined) return undefined;
  return { selector: { [partOf]: environment.name }, labelled: [name, neighbour] };
}

const labelPatch = (value: string | null): object => ({
  spec: { template: { metadata: { labels: { [partOf]: value } } } },
});

/** Gives the pods of the Deployments the label, or takes it away (null): they are rolled out. */
export async function labelPods(
  { cluster, namespace, environment, target }: FaultContext,
  value: string | null,
): Promise<void> {
  for (const name of joiningOf(environment, target)?.labelled ?? [])
    if ((await cluster.get(kinds.deployment, namespace, name)) !== undefined)
      await cluster.patch(kinds.deployment, namespace, name, { type: "strategic", body: labelPatch(value) });
}

/** Whether pods of any of the Deployments are to have the label. */
export async function areLabelled({
  cluster,
  namespace,
  environment,
  target,
}: FaultContext): Promise<boolean> {
  for (const name of joiningOf(environment, target)?.labelled ?? []) {
    const workload = await cluster.get(kinds.deployment, namespace, name);
    if (workload?.spec?.template?.metadata?.labels?.[partOf] !== undefined) return true;
  }
  return false;
}

/** Commands that take the label from the pods. */
export const unlabel = (context: RemedyContext): string[] =>
  (joiningOf(context.environment, context.target)?.labelled ?? []).map(
    (name) =>
      `${kubectl(context)} patch deployment ${name} -p ${shellWord(JSON.stringify(labelPatch(null)))}`,
  );
