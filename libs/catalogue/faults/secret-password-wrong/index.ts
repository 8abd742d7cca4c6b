import {
  affectedObjects,
  type CauseLabels,
  defineFault,
  deletePods,
  drawnPassword,
  endPods,
  type FaultContext,
  isLoaded,
  kinds,
  offeredWorkloads,
  podsOf,
  restartEverything,
  targetOf,
  z,
} from "@microremed/catalogue";
import { strangePassword } from "./evidence.ts";
import { noPassword, passwordKey, passwordOf } from "./place.ts";
import { base64, otherPassword, patchOf, secretOnly, setAndDelete, setAndRestart } from "./remedies.ts";

const labels: CauseLabels = {
  mechanism: "access-denied",
  systemLevel: "Application",
  faultType: "Authentication Issue",
};

const parameters = z.object({
  password: z
    .string()
    .regex(/^\w{4,40}$/)
    .default("Ts_654321")
    .describe("what the Secret holds instead; the database knows another"),
});

type Context = FaultContext & { readonly parameters: z.output<typeof parameters> };

/** Names of the pods whose program has read another password than the declared one. */
async function wrongPods(context: Context): Promise<string[]> {
  const { cluster, namespace, environment, target } = context;
  const { key, value } = passwordKey(context);
  const container = targetOf(environment, target)?.container.name ?? "";
  const found: string[] = [];
  for (const { metadata, status } of await podsOf(context)) {
    if (metadata.deletionTimestamp || status?.phase !== "Running") continue;
    const where = { namespace, pod: metadata.name, container, timeoutMs: 5_000 };
    const read = await cluster.exec({ ...where, command: ["printenv", key] }).catch(() => undefined);
    if (read?.exitCode === 0 && read.stdout.trim() !== value) found.push(metadata.name);
  }
  return found;
}

async function isSecretWrong({ cluster, namespace, ...context }: Context): Promise<boolean> {
  const { secret, key, value } = passwordKey(context);
  const live = await cluster.get(kinds.secret, namespace, secret);
  const data = live?.["data"] as Readonly<Record<string, string>> | undefined;
  return live !== undefined && data?.[key] !== base64(value);
}

async function setPassword(context: Context, password: string): Promise<void> {
  const { cluster, namespace } = context;
  const { secret, key } = passwordKey(context);
  await cluster.patch(kinds.secret, namespace, secret, { type: "json", body: patchOf(key, password) });
}

/** The Secret of a program has a password that its database does not accept. */
export default defineFault({
  name: "secret-password-wrong",
  title: "Wrong password in a Secret",
  description: "secret-password-wrong: the service's requests to its database fail",
  parameters,
  drawn: { password: drawnPassword },
  lookalikes: ["secret-key-added"],
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  rightActions: [],
  ...offeredWorkloads((place, environment) => {
    if (!passwordOf(place, environment)) return noPassword(place, environment);
    if (place.container.behaviour.shell === "none") return `the image of ${place.name} has no shell`;
    return isLoaded(environment, place.name) ? undefined : `users hardly ever reach ${place.name}`;
  }),
  // The program reads the password at its start.
  async inject(context) {
    await setPassword(context, context.parameters.password);
    await endPods(context);
  },
  async status(context) {
    const [isWrong, pods] = [await isSecretWrong(context), await wrongPods(context)];
    return {
      present: isWrong || pods.length > 0,
      injected: isWrong && pods.length > 0,
      pods,
      expiresAt: null,
      note: `the password in the Secret is ${isWrong ? "wrong" : "right"}; pods that have a wrong one: ${pods.length}`,
    };
  },
  async remove(context) {
    const pods = await wrongPods(context);
    if (await isSecretWrong(context)) await setPassword(context, passwordKey(context).value);
    for (const name of pods) await context.cluster.delete(kinds.pod, context.namespace, name);
  },
  truth: (context) => {
    const { secret, key, value } = passwordKey(context);
    return {
      objects: [
        {
          kind: "Secret",
          name: secret,
          field: `data.${key}`,
          wrong: context.parameters.password,
          right: value,
        },
      ],
      affected: [{ kind: "Secret", name: secret }, ...affectedObjects(context)],
      ...labels,
      explanation: `the Secret ${secret} has a password that the database of ${context.target} does not accept`,
    };
  },
  repairs: [setAndRestart, setAndDelete],
  shortcuts: [secretOnly, otherPassword, restartEverything, deletePods],
  evidence: strangePassword(labels),
  runbook: {
    observe: ({ namespace }) => `kubectl -n ${namespace} get secrets -o name`,
    act: ({ namespace, target, finding }) => ({
      title: `Put the password of ${target} back`,
      commands: [
        ...(finding
          ? [
              `kubectl -n ${namespace} patch secret ${finding.object.name} --type=json -p '${JSON.stringify(patchOf(finding.field.replace("data.", ""), finding.right))}'`,
            ]
          : []),
        `kubectl -n ${namespace} rollout restart deployment/${target}`,
        `kubectl -n ${namespace} rollout status deployment/${target} --timeout=20s || echo "still rolling out"`,
      ],
    }),
  },
});
