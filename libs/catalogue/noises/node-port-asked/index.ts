import {
  defineNoise,
  firstContainer,
  kinds,
  type NoiseContext,
  onDeployment,
  patchContainer,
  rollableDeployments,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  hostPort: z.int().min(1024).max(29_999).default(9200).describe("port of their node that the pods ask for"),
});

/** Nodes beyond the replicas: for a new pod in a rollout, and for one more replica. */
const spareNodes = 2;

export default defineNoise({
  name: "node-port-asked",
  title: "Pods that ask for a port of their node",
  description:
    "A Deployment was rolled out whose pods ask for a port of their node too. It is free on every node, and there are more nodes than pods.",
  parameters,
  changes: ["spec.template.spec.containers[].ports"],
  drawn: { hostPort: (rng) => 9000 + rng.int(2_000) },
  ...onDeployment,
  targets: (environment) =>
    rollableDeployments(environment).filter((name) => firstContainer(environment, name)?.ports.length === 1),
  async place(context) {
    const [port] = firstContainer(context.environment, context.target)?.ports ?? [];
    const { hostPort } = context.parameters;
    if (port && (await isFree(context, hostPort)))
      await patchContainer(context, { ports: [{ ...port, hostPort }] });
  },
});

/** Whether every pod finds a node whose port no other pod has. */
async function isFree({ cluster, environment, target }: NoiseContext, hostPort: number): Promise<boolean> {
  const nodes = await cluster.list(kinds.node, {});
  const open = nodes.filter(({ spec }) => !JSON.stringify(spec ?? {}).includes('"NoSchedule"'));
  const pods = await cluster.list(kinds.pod, {});
  const isTaken = pods.some(({ spec }) => JSON.stringify(spec ?? {}).includes(`"hostPort":${hostPort},`));
  return !isTaken && open.length >= (environment.workloads[target]?.replicas ?? 1) + spareNodes;
}
