import { type Environment, isPodReady, servicesOver } from "@microremed/catalogue";
import type { KubeObject, Pod } from "@microremed/cluster";
import { z } from "zod";
import { autoscaledBy } from "../autoscaled.ts";
import { replicasOf } from "../difference.ts";
import { digestOfValue } from "../digest.ts";
import { isWorkload } from "../expected.ts";
import { identityOf, ownObjects } from "../inventory.ts";
import { ownersAmong } from "../owners.ts";
import { restartsOf } from "../restarts.ts";
import { isRevision, numberOf, templateText } from "../revisions.ts";
import { podTemplateOf } from "../starting/pod-template.ts";
import { needsOf, readBySpec } from "../starting/sources.ts";

/** A healthy object that the incident has not hit, as it was when agents were asked. */
export const Bystander = z.strictObject({
  uid: z.string(),
  generation: z.int().optional().describe("absent: the API server counts none for its kind"),
  version: z.string().describe("another one after each write of it, as `versionOf` says"),
  pods: z.array(z.string()).default([]).describe("uids of its pods, all of them ready"),
  restarts: z
    .record(z.string(), z.int())
    .optional()
    .describe("by the uid of a pod, restarts of its containers; absent: errors of what was hit may reach it"),
  caller: z
    .strictObject({
      revision: z.int().describe("number of its latest one"),
      template: z.string().describe("digest of its template"),
    })
    .optional()
    .describe("of a program that calls what was hit: how it was rolled out last; absent: it is none"),
});
export type Bystander = z.infer<typeof Bystander>;

/** Kinds of which API servers count no changes and controllers write the status again and again: resource versions say nothing of them. */
const restless = new Set(["HorizontalPodAutoscaler", "ResourceQuota"]);

/** By identity. */
export type Bystanders = Readonly<Record<string, Bystander>>;

/**
 * What the incident has not hit: of the declared objects those that are neither in `named`, by identity, nor read what is, nor are
 * read by it or lead to it, nor are out of order anyway. How many replicas a workload with an autoscaler has is not its users' doing, so it is left out.
 */
export function bystandersOf(
  environment: Environment,
  record: readonly KubeObject[],
  objects: readonly KubeObject[],
  named: ReadonlySet<string>,
): Bystanders {
  const about = objects.filter((one) => named.has(identityOf(one)));
  const services = about
    .filter(isWorkload)
    .flatMap(({ metadata }) => servicesOver(environment, metadata.name).map(([name]) => `Service/${name}`));
  const hit = new Set([...named, ...about.flatMap(readsOf), ...services]);
  const declared = new Set(record.map(identityOf));
  const podsOf = podsByOwner(objects);
  const isAutoscaled = autoscaledBy(record);
  const names = new Set(about.map(({ metadata }) => metadata.name));
  const callers = callersOf(environment, names);
  const reached = reachedBy(environment, names);
  const numbers = latestNumbers(objects);
  const noted = ownObjects(objects).flatMap((object): [string, Bystander][] => {
    const identity = identityOf(object);
    const { uid = "", generation } = object.metadata;
    const pods = podsOf(object);
    // Claims are compared by themselves.
    if (object.kind === "PersistentVolumeClaim") return [];
    if (!declared.has(identity) || hit.has(identity) || readsOf(object).some((one) => named.has(one)))
      return [];
    if (isWorkload(object) && (isAutoscaled(object, replicasOf(object)) || !isSettled(object, pods)))
      return [];
    const isCaller = isWorkload(object) && callers.has(object.metadata.name);
    return [
      [
        identity,
        {
          uid,
          version: versionOf(object),
          pods: pods.map(({ metadata }) => metadata.uid ?? ""),
          ...(generation !== undefined && { generation }),
          ...(isWorkload(object) &&
            !reached.has(object.metadata.name) && {
              restarts: Object.fromEntries(pods.map((pod) => [pod.metadata.uid ?? "", restartsOf(pod)])),
            }),
          ...(isCaller && {
            caller: { revision: numbers.get(uid) ?? 0, template: templateDigest(object) },
          }),
        },
      ],
    ];
  });
  return Object.fromEntries(noted);
}

/** The pods that a workload's controllers have made and do not end, by the workload. */
export function podsByOwner(objects: readonly KubeObject[]): (workload: KubeObject) => readonly Pod[] {
  const ownerOf = ownersAmong(objects);
  const topOf = (object: KubeObject): KubeObject | undefined => {
    const owner = ownerOf(object);
    return owner?.kind === "ReplicaSet" ? ownerOf(owner) : owner;
  };
  const pods = objects.filter(
    ({ kind, metadata }) => kind === "Pod" && metadata.deletionTimestamp === undefined,
  ) as readonly Pod[];
  const by = Map.groupBy(pods, topOf);
  return (workload) => by.get(workload) ?? [];
}

/** Programs that call what was hit may keep dead connections. The users' load is no program of the system. */
function callersOf({ workloads, load }: Environment, hit: ReadonlySet<string>): ReadonlySet<string> {
  const calling = Object.entries(workloads).filter(
    ([name, { calls }]) => name !== load.from && calls.some(({ to }) => hit.has(to)),
  );
  return new Set(calling.map(([name]) => name));
}

/** Programs that call what was hit, or call one that does: its errors may end them. */
function reachedBy({ workloads }: Environment, hit: ReadonlySet<string>): ReadonlySet<string> {
  const reached = new Set(hit);
  for (let size = -1; size < reached.size; ) {
    size = reached.size;
    for (const [name, { calls }] of Object.entries(workloads))
      if (calls.some(({ to }) => reached.has(to))) reached.add(name);
  }
  return reached;
}

/** What new pods of a workload read, and the claims that they mount: identities. */
function readsOf(object: KubeObject): string[] {
  const template = podTemplateOf(object);
  if (!template) return [];
  return [...needsOf(template).map(({ kind, name }) => `${kind}/${name}`), ...readBySpec(template)];
}

function isSettled(workload: KubeObject, pods: readonly Pod[]): boolean {
  const wanted = replicasOf(workload);
  return (
    !isRollingOut(workload) &&
    pods.every(isPodReady) &&
    pods.length === (typeof wanted === "number" ? wanted : pods.length)
  );
}

const Rollout = z.object({
  observedGeneration: z.int().optional(),
  replicas: z.int().default(0),
  updatedReplicas: z.int().optional(),
});

/** Whether someone has written it lately, so that its controller is about to replace its pods, or does. */
function isRollingOut({ metadata, ...object }: KubeObject): boolean {
  const status = Rollout.safeParse(object["status"]).data;
  if (!status) return false;
  const { replicas, updatedReplicas = replicas } = status;
  const { generation = 0 } = metadata;
  return (status.observedGeneration ?? generation) < generation || updatedReplicas < replicas;
}

/** Which writes an object has had: its resource version; where controllers write its status all the time, a digest of what is wanted. */
export const versionOf = (object: KubeObject): string =>
  restless.has(object.kind ?? "")
    ? digestOfValue(object["spec"] ?? null)
    : (object.metadata.resourceVersion ?? "");

/** Equal for two templates that differ by a restart only. */
export const templateDigest = (object: KubeObject): string => digestOfValue(templateText(object) ?? null);

/** uid of a workload -> number of its latest revision. */
function latestNumbers(objects: readonly KubeObject[]): ReadonlyMap<string, number> {
  const ownerOf = ownersAmong(objects);
  const numbers = new Map<string, number>();
  for (const object of objects) {
    const owner = isRevision(object) ? ownerOf(object)?.metadata.uid : undefined;
    if (owner !== undefined) numbers.set(owner, Math.max(numbers.get(owner) ?? 0, Number(numberOf(object))));
  }
  return numbers;
}
