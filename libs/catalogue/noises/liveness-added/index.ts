import {
  between,
  defineNoise,
  type Environment,
  firstContainer,
  manifestOf,
  onDeployment,
  patchContainer,
  rollableDeployments,
  valueAt,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  periodSeconds: z.int().min(3).max(30).default(5),
});

const Asked = z.looseObject({ httpGet: z.looseObject({ path: z.string(), port: z.int() }) });

/** What the readiness probe asks over HTTP, of a workload without a liveness probe; undefined: nothing. */
function askedOf(environment: Environment, name: string) {
  if (firstContainer(environment, name)?.livenessProbe !== undefined) return undefined;
  const manifest = manifestOf(environment, { kind: "Deployment" }, name);
  const probe = valueAt(manifest, "/spec/template/spec/containers/0/readinessProbe");
  return Asked.safeParse(probe).data?.httpGet;
}

export default defineNoise({
  name: "liveness-added",
  title: "A liveness probe that was added",
  description:
    "A Deployment was rolled out with a liveness probe, which asks what its readiness probe asks. The program answers it.",
  parameters,
  changes: ["spec.template.spec.containers[].livenessProbe"],
  drawn: { periodSeconds: between(3, 9) },
  ...onDeployment,
  targets: (environment) =>
    rollableDeployments(environment).filter((name) => askedOf(environment, name) !== undefined),
  async place(context) {
    const { periodSeconds } = context.parameters;
    const asked = askedOf(context.environment, context.target);
    const httpGet = { path: asked?.path, port: asked?.port, scheme: "HTTP" };
    await patchContainer(context, {
      livenessProbe: { httpGet, periodSeconds, timeoutSeconds: 1, successThreshold: 1, failureThreshold: 6 },
    });
  },
});
