import { type Cluster, harnessNamespace, kinds, labelsOf } from "@microremed/cluster";
import { Damage } from "@microremed/contracts";
import { parseJson } from "@microremed/core";
import { z } from "zod";
import { Bystander } from "./bystanders/bystanders.ts";
import { KnownStores } from "./stores/store-changes.ts";

const Text = z.record(z.string(), z.string());

/** How long a fault acts. */
const Term = z.strictObject({
  injectedAt: z.number().describe("cluster time, ms"),
  expiresAt: z.number().nullable().describe("cluster time, ms, at which it ends by itself"),
  isOver: z.boolean().describe("it was seen to be over before its own end"),
});
/** Of one fault; times are cluster time, ms. */
export type Term = z.infer<typeof Term>;

/** How the arena and the cluster around it were right after an injection: from there on changes are a remedy's. */
const Mark = z.strictObject({
  failure: z.string(),
  target: z.string(),
  alsoFailed: z
    .array(z.string())
    .default([])
    .describe("workloads that further faults of the incident were injected into"),
  resourcesOf: z
    .array(z.string())
    .default([])
    .describe("those of `alsoFailed` whose resources are what is wrong: others there are a repair"),
  fence: z.int().describe("of the lease under which it was written"),
  injectedAt: z.number().describe("cluster time, ms"),
  expiresAt: z.number().nullable().describe("cluster time, ms, at which the fault ends by itself"),
  further: z.array(Term).default([]).describe("the same of the incident's other faults, in their order"),
  nodes: z.array(z.string()).describe("where it hit, for faults that a workload can be moved away from"),
  arena: Text.describe("how objects departed from the record: identity -> digest, or `absent`"),
  fields: z.record(z.string(), Text).describe("of changed objects: identity -> path -> value"),
  acting: Text.describe("objects that act on the arena: namespace/identity -> uid and purpose"),
  causes: z.array(z.string()).describe("those of `acting` that are the fault's own"),
  pods: z.array(z.string()).describe("what the fault has made of pods, each as `<identity> <detail>`"),
  starts: z
    .array(z.string())
    .default([])
    .describe("what the fault has made of the next pods of workloads, each as `<identity> <detail>`"),
  addresses: z
    .array(z.string())
    .default([])
    .describe("where the fault has led Services, each as `<identity> <what of it>`"),
  bystanders: z
    .record(z.string(), Bystander)
    .optional()
    .describe("healthy objects that the incident has not hit, by identity; absent: none was noted"),
  claims: Text.describe("claim -> uid"),
  revisions: Text.default({}).describe("uid of a former revision -> digest of its template"),
  jobTemplates: z.array(z.string()).default([]).describe("digests of what CronJobs have their Jobs run"),
  podAnnotations: z
    .array(z.string())
    .optional()
    .describe("names on any pod that its template has not: those that the cluster itself writes"),
  podTokens: z
    .array(z.string())
    .optional()
    .describe("digests of the volumes in which the cluster gives pods the tokens of their accounts"),
  madeAnnotations: z
    .array(z.string())
    .optional()
    .describe("names on objects that controllers made, such as ReplicaSets"),
  certificates: z
    .string()
    .optional()
    .describe("digest of the certificates that the cluster gave the namespace; absent: there were none"),
  roles: z
    .record(z.string(), z.strictObject({ workload: z.string(), role: z.string(), restarts: z.int() }))
    .default({})
    .describe("uid of a pod whose program writes its role -> that role, and restarts of its containers"),
  versions: Text.default({}).describe("ConfigMap or Secret -> its resourceVersion"),
  programs: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe("workload/container -> commands in sessions of their own; absent: none was asked"),
  variables: z
    .record(z.string(), z.array(z.string()))
    .default({})
    .describe("workload/container -> names of variables that its program had as they are declared"),
  variableNames: Text.default({}).describe(
    "workload/container -> digest of the names of all variables of its program",
  ),
  volumes: z
    .record(z.string(), z.strictObject({ files: z.number(), kib: z.number() }))
    .optional()
    .describe("volume -> what it holds; absent: none was counted"),
  stores: KnownStores.optional().describe("servers of datastores before the fault; absent: none was asked"),
  storeFaults: z
    .array(z.string())
    .default([])
    .describe("what the fault has made of these servers, each as `<workload> <detail> <digest>`"),
  outside: Text.describe("the cluster around: kind/namespace/name -> digest"),
  isOver: z.boolean().describe("the fault was seen to be over before its own end"),
  isRearming: z.boolean().describe("the fault is being put back: its cause may be one that is not noted yet"),
  damage: Damage.nullable().describe("what a restore that was begun has found; null: none was begun"),
});

/** What is stored of an arena right after an injection. Times are cluster time, ms. */
export type Mark = z.infer<typeof Mark>;

/** Whose mark it must be. `fence` absent: of any lease. */
export interface MarkKey {
  readonly failure: string;
  readonly target: string;
  readonly fence?: number | undefined;
}

const nameOf = (namespace: string): string => `injected-${namespace}`;

/** Kept beside the arena's record, out of the agents' reach. */
export async function writeMark(cluster: Cluster, namespace: string, mark: Mark): Promise<void> {
  await cluster.apply({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: nameOf(namespace), namespace: harnessNamespace, labels: labelsOf(namespace) },
    data: { mark: Buffer.from(JSON.stringify(mark)).toString("base64") },
  });
}

/**
 * Undefined: there is none of this failure on this target under this lease. It stays until the next injection
 * replaces it, so that a restore that is tried again finds it.
 */
export async function readMark(
  cluster: Pick<Cluster, "get">,
  namespace: string,
  { failure, target, fence }: MarkKey,
): Promise<Mark | undefined> {
  const mark = await readLastMark(cluster, namespace);
  const isIt = mark?.failure === failure && mark.target === target;
  return isIt && (fence === undefined || mark.fence === fence) ? mark : undefined;
}

/** The mark of the last injection into the namespace, whatever it was; undefined: there is none. */
export async function readLastMark(
  cluster: Pick<Cluster, "get">,
  namespace: string,
): Promise<Mark | undefined> {
  const secret = await cluster.get(kinds.secret, harnessNamespace, nameOf(namespace));
  const data = secret?.["data"] as { mark?: string } | undefined;
  if (data?.mark === undefined) return undefined;
  return Mark.safeParse(parseJson(Buffer.from(data.mark, "base64").toString("utf8"))).data;
}
