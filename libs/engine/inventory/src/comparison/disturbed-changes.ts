import type { KubeObject, Pod } from "@microremed/cluster";
import type { Change } from "@microremed/contracts";
import { type Bystander, podsByOwner, templateDigest, versionOf } from "../bystanders/bystanders.ts";
import { changeOf, type Expected, isWorkload } from "../expected.ts";
import { identityOf } from "../inventory.ts";
import { ownersAmong } from "../owners.ts";
import type { ArenaObjects } from "../read-arena.ts";
import { restartsOf } from "../restarts.ts";
import { isRevision, numberOf } from "../revisions.ts";

/**
 * What the incident has not hit and was written, made again, restarted or whose program was ended since agents were asked, though nothing of it may be left. Programs
 * that call what was hit may be restarted and scaled: they may keep dead connections.
 */
export function disturbedChanges(expected: Expected, arena: ArenaObjects): Change[] {
  const now = new Map(arena.objects.map((object) => [identityOf(object), object]));
  const podsOf = podsByOwner(arena.objects);
  const isRestarted = (object: KubeObject, { pods }: Bystander): boolean => {
    // A workload's pod that was ended, as by a deadline or for its own volume, may stay as an object; a Job's may fail.
    const running = podsOf(object).filter(({ status }) => !isWorkload(object) || status?.phase !== "Failed");
    const kept = new Set(running.map(({ metadata }) => metadata.uid));
    return pods.some((uid) => !kept.has(uid) && !arena.displaced?.has(uid));
  };
  return Object.entries(expected.mark?.bystanders ?? {}).flatMap(([identity, before]): Change[] => {
    const object = now.get(identity);
    if (!object) return [];
    const found = (detail: string) => [changeOf(expected, "changed", object, "disturbed", detail)];
    if (object.metadata.uid !== before.uid) return found("was deleted and made again");
    if (before.caller) {
      const rollouts = rolloutsOf(object, { ...before, caller: before.caller }, arena.objects);
      if (rollouts === "other") return found("had another template");
      return rollouts === "hidden" ? found("was changed, not only restarted") : [];
    }
    if (isWritten(object, before)) return found("was changed, and has no part in the incident");
    if (isRestarted(object, before)) return found("had healthy pods, which were replaced");
    return podsOf(object).some((pod) => isRestartedInPlace(pod, before, arena.unwell))
      ? found("had a healthy program, which was ended")
      : [];
  });
}

/** Whether a container was started again in its pod: not because it ran out of memory or failed a probe. */
function isRestartedInPlace(
  pod: Pod,
  { restarts = {} }: Bystander,
  unwell: ReadonlySet<string> = new Set(),
): boolean {
  const uid = pod.metadata.uid ?? "";
  const before = restarts[uid];
  if (before === undefined || restartsOf(pod) <= before || unwell.has(uid)) return false;
  const ends = (pod.status?.containerStatuses ?? []).map(({ lastState }) => lastState?.terminated?.reason);
  return !ends.includes("OOMKilled");
}

/**
 * API servers count the changes of some kinds; of the others they give each write a version, which no client chooses, unlike the notes of
 * who wrote which fields.
 */
const isWritten = (object: KubeObject, { generation, version }: Bystander): boolean =>
  generation === undefined ? versionOf(object) !== version : object.metadata.generation !== generation;

/**
 * What a workload's rollouts were since: none or restarts, each of which is one change and one revision; another template; or changes of
 * which there is no revision, because it was deleted or the workload paused meanwhile.
 */
function rolloutsOf(
  workload: KubeObject,
  before: Pick<Bystander, "generation"> & { readonly caller: NonNullable<Bystander["caller"]> },
  objects: readonly KubeObject[],
): "restarts" | "other" | "hidden" {
  const { revision, template } = before.caller;
  const ownerOf = ownersAmong(objects);
  const later = objects.filter(
    (one) => isRevision(one) && ownerOf(one) === workload && Number(numberOf(one)) > revision,
  );
  if (later.some((one) => templateDigest(one) !== template)) return "other";
  const rollouts = Math.max(revision, ...later.map((one) => Number(numberOf(one)))) - revision;
  const changes = (workload.metadata.generation ?? 0) - (before.generation ?? 0);
  // More than the cluster keeps hide what they were: no one restarts a caller so often.
  return later.length === rollouts && changes === rollouts ? "restarts" : "hidden";
}
