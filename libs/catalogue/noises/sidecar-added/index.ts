import {
  defineNoise,
  firstContainer,
  onDeployment,
  pageServer,
  patchTemplate,
  sidecarDraws,
  sidecarParameters,
  z,
} from "@microremed/catalogue";

const parameters = sidecarParameters.extend({
  port: z
    .int()
    .min(1024)
    .max(65_535)
    .default(18_080)
    .describe("where it listens, and nothing else in the pod"),
});

export default defineNoise({
  name: "sidecar-added",
  title: "One more container in each pod",
  description:
    "A Deployment was rolled out whose pods have one more container, a small web server on a port of its own. No program calls it.",
  parameters,
  changes: ["spec.template.spec.containers[]"],
  drawn: {
    ...sidecarDraws,
    port: (rng, { environment, target }) => {
      const taken = (environment.workloads[target]?.containers ?? []).flatMap(({ behaviour, ports }) => [
        ...behaviour.listens,
        ...ports.map(({ containerPort }) => containerPort),
      ]);
      const [own = 8080] = taken;
      const near = Array.from({ length: 40 }, (_, i) => Math.max(own, 1024) + 1 + i);
      return rng.pick(near.filter((port) => port < 65_536 && !taken.includes(port)));
    },
  },
  ...onDeployment,
  async place(context) {
    const { port, ...how } = context.parameters;
    const own = firstContainer(context.environment, context.target)?.name;
    // The container that is there is named first, or a merge would put the new one before it.
    await patchTemplate(context, { containers: [{ name: own }, pageServer(how, port)] });
  },
});
