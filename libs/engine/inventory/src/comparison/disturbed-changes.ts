import type { KubeObject } from "@microremed/cluster";
import type { Change } from "@microremed/contracts";
import { type Bystander, podsByOwner, templateDigest, writesDigest } from "../bystanders/bystanders.ts";
import { changeOf, type Expected } from "../expected.ts";
import { identityOf } from "../inventory.ts";
import { ownersAmong } from "../owners.ts";
import type { ArenaObjects } from "../read-arena.ts";
import { isRevision, numberOf } from "../revisions.ts";

/**
 * What the incident has not hit and was written, made again or restarted since agents were asked, though nothing of it may be left. Programs
 * that call what was hit may be restarted and scaled: they may keep dead connections.
 */
export function disturbedChanges(expected: Expected, arena: ArenaObjects): Change[] {
  const now = new Map(arena.objects.map((object) => [identityOf(object), object]));
  const podsOf = podsByOwner(arena.objects);
  const isRestarted = (object: KubeObject, { pods }: Bystander): boolean => {
    const kept = new Set(podsOf(object).map(({ metadata }) => metadata.uid));
    return pods.some((uid) => !kept.has(uid) && !arena.displaced?.has(uid));
  };
  return Object.entries(expected.mark?.bystanders ?? {}).flatMap(([identity, before]): Change[] => {
    const object = now.get(identity);
    if (!object) return [];
    const found = (detail: string) => [changeOf(expected, "changed", object, "disturbed", detail)];
    if (object.metadata.uid !== before.uid) return found("was deleted and made again");
    if (before.caller)
      return isRolledOut(object, before.caller, arena.objects) ? found("had another template") : [];
    if (isWritten(object, before)) return found("was changed, and has no part in the incident");
    return isRestarted(object, before) ? found("had healthy pods, which were replaced") : [];
  });
}

/** API servers count the changes of some kinds; of the others they note who wrote which fields. */
const isWritten = (object: KubeObject, { generation, writes }: Bystander): boolean =>
  generation === undefined ? writesDigest(object) !== writes : object.metadata.generation !== generation;

/** Whether it had another template since, which a restart alone does not give it. */
function isRolledOut(
  workload: KubeObject,
  { revision, template }: NonNullable<Bystander["caller"]>,
  objects: readonly KubeObject[],
): boolean {
  const ownerOf = ownersAmong(objects);
  return objects.some(
    (one) =>
      isRevision(one) &&
      ownerOf(one) === workload &&
      Number(numberOf(one)) > revision &&
      templateDigest(one) !== template,
  );
}
