import {
  defineNoise,
  drawnValue,
  drawnVariable,
  firstContainer,
  isRolledOut,
  kinds,
  type NoiseContext,
  onDeployment,
  patchContainer,
  type Workload,
  z,
} from "@microremed/catalogue";

const parameters = z.object({
  variable: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,40}$/)
    .default("USE_NEW_LAYOUT")
    .describe("environment variable that was added and taken away again, which no program reads"),
  value: z.string().min(1).max(40).default("yes").describe("its value"),
});

type Context = NoiseContext & { readonly parameters: z.infer<typeof parameters> };

/** Cluster time, ms, until the first of the two rollouts has begun. */
const beginMs = 30_000;

export default defineNoise({
  name: "rolled-back",
  title: "A rollout that was taken back",
  description:
    "A Deployment was rolled out with a new variable that its program does not read, and back again. It is as it was before, and has two revisions more.",
  parameters,
  logs: ["rollout", "rollout"],
  drawn: { variable: drawnVariable, value: drawnValue },
  ...onDeployment,
  async place(context) {
    const {
      cluster,
      namespace,
      target,
      signal,
      parameters: { variable, value },
    } = context;
    if (!(await isBegun(context))) {
      await patchContainer(context, { env: [{ name: variable, value }] });
      await cluster.waitUntil(
        {
          what: `a rollout of ${target} to begin`,
          timeoutMs: beginMs,
          namespace,
          kinds: [kinds.replicaSet],
          ...(signal && { signal }),
        },
        (view) => (view.list(kinds.replicaSet).some((set) => hasVariable(set, context)) ? true : undefined),
      );
    }
    await patchContainer(context, { env: [{ name: variable, $patch: "delete" }] });
  },
  async isSettled(context) {
    const deployment = await context.cluster.get(kinds.deployment, context.namespace, context.target);
    if (!deployment || hasVariable(deployment, context)) return false;
    return (await isBegun(context)) && (await isRolledOut(context, context.target));
  },
});

async function isBegun(context: Context): Promise<boolean> {
  const sets = await context.cluster.list(kinds.replicaSet, { namespace: context.namespace });
  return sets.some((set) => hasVariable(set, context));
}

/** Whether a template of the target's has the variable. */
function hasVariable(
  { spec }: Workload,
  { environment, target, parameters: { variable } }: Context,
): boolean {
  const name = firstContainer(environment, target)?.name;
  const { labels = {} } = environment.workloads[target] ?? {};
  const template = spec?.template;
  if (!Object.entries(labels).every(([key, value]) => template?.metadata?.labels?.[key] === value))
    return false;
  const container = template?.spec?.containers.find((one) => one.name === name);
  return JSON.stringify(container ?? {}).includes(`{"name":"${variable}"`);
}
