import type { KubeObject } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { revisionOf } from "./digest.ts";
import { leavesOf } from "./fields.ts";
import { identityOf } from "./inventory.ts";
import { isRevision } from "./mark-of.ts";
import { normalise } from "./normalise.ts";
import { ownersAmong } from "./owners.ts";

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
/** What rollouts write into a template, and restarts. */
const ofRollouts = /^metadata\.labels\.pod-template-hash$|kubectl\.kubernetes\.io\/restartedAt$/;

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

/** Empty: its controller has not counted it yet. */
function numberOf({ kind, metadata, revision }: KubeObject): string {
  if (kind === "ControllerRevision") return String(revision ?? 0);
  return metadata.annotations?.["deployment.kubernetes.io/revision"] ?? "0";
}

function isLike(revision: KubeObject, workload: KubeObject): boolean {
  const [held, wanted] = [leavesIn(templateOf(revision)), leavesIn(templateOf(normalise(workload)))];
  return held === undefined || held === wanted;
}

function templateOf({ spec, data }: KubeObject): unknown {
  if (!isJsonObject(data)) return isJsonObject(spec) ? spec["template"] : undefined;
  return isJsonObject(data["spec"]) ? data["spec"]["template"] : undefined;
}

/** Undefined: there is no template. */
function leavesIn(template: unknown): string | undefined {
  if (!isJsonObject(template)) return undefined;
  const { $patch: _patch, ...rest } = template;
  return [...leavesOf(rest).values()]
    .map(({ path, text }) => `${path.join(".")}=${text}`)
    .filter(
      (leaf) => !ofRollouts.test(leaf.split("=")[0] ?? "") && !/=(null|undefined|\{\}|\[\])$/.test(leaf),
    )
    .toSorted()
    .join("\n");
}
