import {
  between,
  defineNoise,
  deploymentsWith,
  firstContainer,
  kinds,
  manifestOf,
  type NoisePlace,
  onDeployment,
  type ProbeTimes,
  patchContainer,
  type Workload,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  periodSeconds: z.int().min(3).max(9).default(3).describe("from one question to the next"),
  timeoutSeconds: z.int().min(2).max(10).default(5).describe("how late an answer may be"),
  startSeconds: z.int().min(120).max(600).default(300).describe("how long a program may take to start"),
});

/** Answers that may fail before a restart: one less than usual. */
const failureThreshold = 2;

/** The liveness probe of a Deployment's first container, as its manifest has it. */
function probeOf({
  environment,
  target,
}: Pick<NoisePlace, "environment" | "target">): ProbeTimes | undefined {
  const spec = manifestOf(environment, kinds.deployment, target)?.spec as Workload["spec"];
  const [first] = spec?.template?.spec?.containers ?? [];
  return first?.["livenessProbe"] as ProbeTimes | undefined;
}

/** A question over HTTP whose port has a name, with its number. */
function portOf({ environment, target }: Pick<NoisePlace, "environment" | "target">, probe: object): object {
  const { httpGet } = probe as { readonly httpGet?: { readonly port?: unknown } };
  const ports = firstContainer(environment, target)?.ports ?? [];
  const named = ports.find(({ name }) => name !== undefined && name === httpGet?.port);
  return named ? { httpGet: { ...httpGet, port: named.containerPort } } : {};
}

export default defineNoise({
  name: "liveness-sooner",
  title: "A liveness probe that gives up sooner",
  description:
    "A Deployment was rolled out with a liveness probe that waits for no start, asks the same question more often and gives up after two failures. Each answer may be later than before, and a startup probe of its own gives the program minutes to start.",
  parameters,
  changes: ["spec.template.spec.containers[].livenessProbe", "spec.template.spec.containers[].startupProbe"],
  drawn: { periodSeconds: between(3, 6), timeoutSeconds: between(4, 8), startSeconds: between(180, 400) },
  ...onDeployment,
  targets: (environment) =>
    deploymentsWith("livenessProbe")(environment).filter((name) => {
      const { periodSeconds = 10, failureThreshold: failures = 3 } =
        probeOf({ environment, target: name }) ?? {};
      const hasOther = firstContainer(environment, name)?.startupProbe !== undefined;
      return !hasOther && periodSeconds >= 7 && failures > failureThreshold;
    }),
  async place(context) {
    const { periodSeconds, timeoutSeconds, startSeconds } = context.parameters;
    const times = { periodSeconds, timeoutSeconds };
    const { initialDelaySeconds: _, ...probe } = probeOf(context) ?? {};
    const question = { ...probe, ...portOf(context, probe) };
    await patchContainer(context, {
      livenessProbe: { ...portOf(context, probe), ...times, initialDelaySeconds: null, failureThreshold },
      startupProbe: { ...question, ...times, failureThreshold: Math.ceil(startSeconds / periodSeconds) },
    });
  },
});
