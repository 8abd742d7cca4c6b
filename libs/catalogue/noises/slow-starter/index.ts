import {
  between,
  containerName,
  createOnce,
  defineNoise,
  drawnName,
  drawnWord,
  kinds,
  oneReplica,
  ownWord,
  scriptContainer,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  deployment: z.string().min(1).max(50).default("search-indexer").describe("name of the Deployment"),
  container: containerName.default("indexer").describe("name of its container"),
  line: z
    .string()
    .regex(/^[\w .,:()-]{1,100}$/)
    .default("index is being read")
    .describe("what it prints"),
  seconds: z.int().min(1).max(3600).default(900).describe("cluster time until it is Ready"),
});

export default defineNoise({
  name: "slow-starter",
  title: "A Deployment that is slow to start",
  description:
    "The pod of a Deployment beside the system takes many minutes to become Ready; its probe gives warnings. No service calls it.",
  parameters,
  drawn: {
    container: drawnWord,
    line: (rng, where) => `reading ${100 + rng.int(9_000)} entries of ${ownWord(rng, where)}`,
    deployment: drawnName("indexer", "cache", "builder", "lookup", "model", "warmer"),
    seconds: between(900, 1_800),
  },
  decoys: ({ parameters: { deployment } }) => [{ kind: "Deployment", name: deployment }],
  place: (context) => {
    const { deployment: name, seconds, container: called, line } = context.parameters;
    const script = `echo '${line}'; sleep ${seconds}; touch /ready; echo 'serving'; while true; do sleep 3600; done`;
    const container = {
      ...scriptContainer(called, script),
      readinessProbe: { exec: { command: ["cat", "/ready"] }, periodSeconds: 15 },
    };
    return createOnce(
      context,
      oneReplica(name, { terminationGracePeriodSeconds: 2, containers: [container] }),
    );
  },
  async isSettled({ cluster, namespace, parameters: { deployment } }) {
    const pods = await cluster.list(kinds.pod, { namespace, labelSelector: `app=${deployment}` });
    return pods.some(({ status }) => status?.phase === "Running");
  },
});
