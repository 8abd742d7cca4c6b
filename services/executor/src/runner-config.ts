import { hostname, networkInterfaces } from "node:os";
import { wrongLines } from "@microremed/contracts";
import type { RunnerSettings } from "@microremed/sandbox/pods";
import { z } from "zod";

const Quantity = z
  .string()
  .regex(/^\d+(\.\d+)?(m|[KMG]i?)?$/, "a quantity as Kubernetes writes it, e.g. 500m or 1Gi");

/** A variable whose text is JSON of that schema. */
function json<T>(schema: z.ZodType<T>, fallback: string) {
  return z
    .string()
    .default(fallback)
    .transform((text, context): T => {
      try {
        const parsed = schema.safeParse(JSON.parse(text));
        if (parsed.success) return parsed.data;
        context.addIssue({ code: "custom", message: wrongLines(parsed.error) });
      } catch {
        context.addIssue({ code: "custom", message: "it is not JSON" });
      }
      return z.NEVER;
    });
}

const Toleration = z.strictObject({
  key: z.string().optional(),
  operator: z.enum(["Exists", "Equal"]).optional(),
  value: z.string().optional(),
  effect: z.enum(["NoSchedule", "PreferNoSchedule", "NoExecute"]).optional(),
  tolerationSeconds: z.int().optional(),
});

/** The environment variables that say what runner pods are like. */
export const runnerConfig = {
  RUNNER_KUBECONFIG: z
    .string()
    .min(1)
    .optional()
    .describe("kubeconfig of the cluster on which runner pods are made; without it there are none"),
  RUNNER_NAMESPACE: z
    .string()
    .min(1)
    .default("microremed-runners")
    .describe("namespace of runner pods alone"),
  RUNNER_IMAGE: z
    .string()
    .min(1)
    .optional()
    .describe(
      "image of runner pods, with bash, Python 3, ansible-playbook and kubectl; the executor's has them",
    ),
  RUNNER_WARM: z.coerce.number().int().min(0).max(100).default(2).describe("runner pods that wait for a run"),
  RUNNER_MOST: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(8)
    .describe("runner pods of one executor at once; a run that finds none free waits"),
  RUNNER_CPU: Quantity.default("1").describe("limit of a run's CPU"),
  RUNNER_MEMORY: Quantity.default("1Gi").describe("limit of a run's memory, its files included"),
  RUNNER_CLASS: z
    .string()
    .min(1)
    .optional()
    .describe("RuntimeClass of runner pods, for a kernel of their own (gVisor, Kata)"),
  RUNNER_NODES: json(z.record(z.string(), z.string()), "{}").describe(
    'node selector of runner pods, JSON; example: `{"pool": "untrusted"}`',
  ),
  RUNNER_TOLERATIONS: json(z.array(Toleration), "[]").describe("tolerations of runner pods, JSON"),
  RUNNER_PULL_SECRETS: json(z.array(z.string()), "[]").describe(
    "names of the Secrets with which runner pods' image is pulled, JSON",
  ),
  SANDBOX_NETWORK: z
    .enum(["enforced", "unenforced"])
    .default("enforced")
    .describe(
      "enforced: a runner pod that reaches an API server, the executor or a metadata address takes no run; unenforced: it is not tried",
    ),
};

type RunnerConfig = z.output<z.ZodObject<typeof runnerConfig>>;

/** Of clouds: credentials of the node are there. */
const metadataAddress = ["169.254.169.254", 80] as const;
const maxLabel = 63;

/** The settings of runner pods; undefined where no cluster, or no image, is named. `health`: where this process listens. */
export function runnerSettings(
  config: RunnerConfig,
  health: { readonly host: string; readonly port: number },
): RunnerSettings | undefined {
  if (config.RUNNER_KUBECONFIG === undefined || config.RUNNER_IMAGE === undefined) return undefined;
  return {
    namespace: config.RUNNER_NAMESPACE,
    image: config.RUNNER_IMAGE,
    owner: hostname()
      .slice(0, maxLabel)
      .replace(/[^A-Za-z0-9]+$/, ""),
    warm: config.RUNNER_WARM,
    most: config.RUNNER_MOST,
    cpu: config.RUNNER_CPU,
    memory: config.RUNNER_MEMORY,
    runtimeClass: config.RUNNER_CLASS,
    nodeSelector: config.RUNNER_NODES,
    tolerations: config.RUNNER_TOLERATIONS,
    imagePullSecrets: config.RUNNER_PULL_SECRETS,
    network: config.SANDBOX_NETWORK,
    unreachable: [metadataAddress, ...addressesOf(health)],
  };
}

/** Where a server of this process answers others; none where it listens to this machine alone. */
function addressesOf({
  host,
  port,
}: {
  readonly host: string;
  readonly port: number;
}): (readonly [string, number])[] {
  if (port === 0 || /^(localhost$|127\.|::1$)/.test(host)) return [];
  if (!/^(0\.0\.0\.0|::)$/.test(host)) return [[host, port]];
  return Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ internal, family }) => !internal && family === "IPv4")
    .map(({ address }) => [address, port]);
}
