import {
  containerName,
  defineNoise,
  isDeclared,
  kinds,
  type NoiseContext,
  onDeployment,
  patchContainer,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  name: containerName.max(15).default("admin").describe("of the port"),
  port: z.int().min(1024).max(29_999).default(9100).describe("of the container and of its node"),
  protocol: z.enum(["TCP", "UDP", "SCTP"]).default("UDP"),
});

/** Nodes beyond the replicas: for a new pod in a rollout, and for one more replica. */
const spareNodes = 2;

/** Whether every pod finds a node that has the port: two pods with it do not fit on one. */
async function hasSpareNodes({ cluster, environment, target }: NoiseContext): Promise<boolean> {
  const nodes = await cluster.list(kinds.node, {});
  const open = nodes.filter(({ spec }) => !JSON.stringify(spec ?? {}).includes('"NoSchedule"'));
  return open.length >= (environment.workloads[target]?.replicas ?? 1) + spareNodes;
}

export default defineNoise({
  name: "port-declared",
  title: "One more port that is declared",
  description:
    "A Deployment was rolled out that declares one more port, on which nothing listens. Where there are nodes enough, its pods ask for that port of their node too, which is free on each.",
  parameters,
  changes: ["spec.template.spec.containers[].ports"],
  drawn: {
    name: (rng) => rng.pick(["metrics", "admin", "debug", "probe", "stats", "gossip", "trace", "profile"]),
    // The port of the usual exporters is taken for TCP alone.
    port: (rng, where) => {
      const free = [9100, 9090, 8125, 7946, 6831, 10_000 + rng.int(19_000)].filter(
        (port) => !isDeclared(where, String(port)),
      );
      return rng.pick(free);
    },
    protocol: (rng) => rng.pick(["UDP", "UDP", "SCTP"]),
  },
  ...onDeployment,
  async place(context) {
    const { name, port: containerPort, protocol } = context.parameters;
    const hostPort = (await hasSpareNodes(context)) ? { hostPort: containerPort } : {};
    await patchContainer(context, { ports: [{ name, containerPort, protocol, ...hostPort }] });
  },
});
