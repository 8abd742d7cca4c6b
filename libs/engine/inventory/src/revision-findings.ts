import type { KubeObject } from "@microremed/cluster";
import { revisionOf } from "./digest.ts";
import { identityOf } from "./inventory.ts";
import { normalise } from "./normalise.ts";
import { ownersAmong } from "./owners.ts";
import { isRevision, numberOf, templateText } from "./revisions.ts";

/** A former revision of a declared workload that a rollback would go wrong with. */
export interface RevisionFinding {
  readonly object: KubeObject;
  readonly detail: string;
}

interface Known {
  readonly record: readonly KubeObject[];
  /** Workloads whose rollouts may be of a repair: those that a fault of the incident was injected into. */
  readonly isFailed: (workload: string) => boolean;
  /** uid of a revision -> digest of its template, before the remedies. */
  readonly revisions: Readonly<Record<string, string>>;
}

/** No workload is changed so often. From the highest number there is, the next one would be the lowest. */
const highestNumber = 1_000_000;
/**
 * Controllers write a revision once, so what a rollback would bring back must not change. One that came with the remedies is
 * of a rollout: of the failed workload it may be anything that was tried, of another one it is as declared.
 */
export function revisionFindings(known: Known, objects: readonly KubeObject[]): RevisionFinding[] {
  const ownerOf = ownersAmong(objects);
  const declared = new Map(known.record.map((object) => [identityOf(object), object]));
  return objects.filter(isRevision).flatMap((object): RevisionFinding[] => {
    const owner = ownerOf(object);
    const workload = owner && declared.get(identityOf(owner));
    const before = known.revisions[object.metadata.uid ?? ""];
    const finding = (detail: string): RevisionFinding => ({ object, detail });
    if (before !== undefined && before !== revisionOf(object))
      return [finding("a rollback would bring back another template")];
    if (!workload) return [];
    if (!isPlausible(numberOf(object)))
      return [finding(`is revision ${numberOf(object)}, which no rollout has counted`)];
    if (before !== undefined || known.isFailed(workload.metadata.name) || isLike(object, workload)) return [];
    return [finding("a rollback would bring back a template that is not as declared")];
  });
}

const isPlausible = (number: string): boolean => /^\d+$/.test(number) && Number(number) <= highestNumber;

function isLike(revision: KubeObject, workload: KubeObject): boolean {
  const [held, wanted] = [templateText(revision), templateText(normalise(workload))];
  return held === undefined || held === wanted;
}
