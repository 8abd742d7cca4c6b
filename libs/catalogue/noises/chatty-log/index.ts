import {
  between,
  containerName,
  createOnce,
  defineNoise,
  drawnName,
  drawnWord,
  isRolledOut,
  oneReplica,
  ownWord,
  scriptContainer,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  deployment: z.string().min(1).max(50).default("metrics-relay").describe("name of the Deployment"),
  container: containerName.default("relay").describe("name of its container"),
  line: z
    .string()
    .regex(/^[\w .,;:()-]{1,200}$/)
    .default(
      "WARN upstream answered late, batch is kept; ERROR flush failed: timeout (1 of 5), again in 1 s",
    ),
  everySeconds: z.number().min(1).max(600).default(4).describe("cluster time between two lines"),
});

export default defineNoise({
  name: "chatty-log",
  title: "A log full of harmless warnings",
  description:
    "A Deployment beside the system logs warnings about retries every few seconds, without an end. No service calls it.",
  parameters,
  drawn: {
    deployment: drawnName("relay", "shipper", "forwarder", "collector", "proxy", "agent"),
    container: drawnWord,
    line: (rng, where) => {
      const [one, other] = [ownWord(rng, where), drawnWord(rng)];
      return rng.pick([
        `WARN ${one} answered after ${1 + rng.int(9)} s, batch ${rng.int(9_000)} is kept; ERROR flush failed: timeout (1 of ${2 + rng.int(8)})`,
        `ERROR ${other}: connection to ${one}-${drawnWord(rng)} refused, attempt ${1 + rng.int(9)}, again in ${1 + rng.int(30)} s`,
        `WARN retry ${1 + rng.int(5)} of ${6 + rng.int(5)} for ${one} ${other}: deadline exceeded`,
        `ERROR could not send ${1 + rng.int(500)} records to ${other}: 503; kept for later`,
      ]);
    },
    everySeconds: between(2, 9),
  },
  decoys: ({ parameters: { deployment } }) => [{ kind: "Deployment", name: deployment }],
  place: (context) => {
    const { deployment: name, everySeconds, line, container } = context.parameters;
    const script = `while true; do echo '${line}'; sleep ${everySeconds}; done`;
    const spec = { terminationGracePeriodSeconds: 2, containers: [scriptContainer(container, script)] };
    return createOnce(context, oneReplica(name, spec));
  },
  isSettled: (context) => isRolledOut(context, context.parameters.deployment),
});
