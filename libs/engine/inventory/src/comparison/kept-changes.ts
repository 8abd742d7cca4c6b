import type { Change } from "@microremed/contracts";
import { isJsonObject, ownNamesOnly } from "@microremed/core";
import { addressFindings } from "../address-findings.ts";
import { digestOf } from "../digest.ts";
import { changeOf, type Expected, isFailed } from "../expected.ts";
import { isRootCertificates } from "../inventory.ts";
import { madeFindings } from "../made-findings.ts";
import { ownersAmong } from "../owners.ts";
import type { ArenaObjects } from "../read-arena.ts";
import { revisionFindings } from "../revision-findings.ts";
import { startFindings, startText } from "../starting/start-findings.ts";

/** What the cluster makes and keeps for the declared objects, where it is not as it was. */
export const keptChanges = (expected: Expected, arena: ArenaObjects): Change[] => [
  ...ofClaims(expected, arena),
  ...ofRevisions(expected, arena),
  ...ofCertificates(expected, arena),
  ...ofMade(expected, arena),
  ...ofStarts(expected, arena),
  ...ofAddresses(expected, arena),
];

/** A claim that was made again has lost what the old one kept. */
function ofClaims(expected: Expected, { objects }: ArenaObjects): Change[] {
  const before = ownNamesOnly(expected.mark?.claims ?? {});
  return objects
    .filter(({ kind }) => kind === "PersistentVolumeClaim")
    .flatMap((claim): Change[] => {
      const uid = before[claim.metadata.name];
      if (uid === undefined || uid === claim.metadata.uid) return [];
      return [changeOf(expected, "changed", claim, "breaks", "was deleted and made again: its data is lost")];
    });
}

/** What a rollback would bring back. */
function ofRevisions(expected: Expected, { objects }: ArenaObjects): Change[] {
  const { record, mark } = expected;
  if (!mark) return [];
  const known = {
    record,
    isFailed: (workload: string) => isFailed(expected, workload),
    revisions: mark.revisions,
  };
  return revisionFindings(known, objects).map(({ object, detail }) =>
    changeOf(expected, "changed", object, "changed", detail),
  );
}

/** The cluster puts back what a client writes there, unless it has been made immutable; pods start with what is there. */
function ofCertificates(expected: Expected, { objects }: ArenaObjects): Change[] {
  const before = expected.mark?.certificates;
  const object = objects.find(isRootCertificates);
  if (!object || before === undefined || before === digestOf(object)) return [];
  return [changeOf(expected, "changed", object, "breaks", "is not what the cluster has put there")];
}

/** A ReplicaSet that is being deleted and stays replaces no pod any more, and its Deployment counts it all the same. */
function ofGoingSets(expected: Expected, { objects }: ArenaObjects): Change[] {
  const ownerOf = ownersAmong(objects);
  return objects.flatMap((object): Change[] => {
    const { kind, metadata, spec } = object;
    if (kind !== "ReplicaSet" || metadata.deletionTimestamp === undefined) return [];
    const owner = ownerOf(object);
    if (owner === undefined || expected.environment.workloads[owner.metadata.name] === undefined) return [];
    const isEmpty = isJsonObject(spec) && spec["replicas"] === 0;
    const detail = `is being deleted: pods of ${owner.metadata.name} that end are not replaced`;
    return isEmpty ? [] : [changeOf(expected, "changed", object, "breaks", detail)];
  });
}

/** What of the objects that controllers made is not as their makers left it. */
function ofMade(expected: Expected, arena: ArenaObjects): Change[] {
  const sets = ofGoingSets(expected, arena);
  const known = new Set(sets.map(({ object }) => object));
  const made = madeFindings(arena.objects, expected.mark?.madeAnnotations).map(({ object, detail }) =>
    changeOf(expected, "changed", object, "changed", detail),
  );
  return [...sets, ...made.filter(({ object }) => !known.has(object))];
}

/** Declared workloads whose next pod would not start, or not as declared. */
function ofStarts(expected: Expected, { objects, nodes }: ArenaObjects): Change[] {
  const before = expected.mark?.starts ?? [];
  return startFindings(expected.record, objects, nodes).map((finding) => {
    const is = before.includes(startText(finding)) ? "unrepaired" : finding.class;
    return changeOf(expected, "changed", finding.workload, is, finding.detail);
  });
}

/** Where Services lead that no pod of theirs is. What the fault has made of them is no remedy's doing. */
function ofAddresses(expected: Expected, arena: ArenaObjects): Change[] {
  const before = expected.mark?.addresses ?? [];
  return addressFindings(expected.environment, arena).map(({ object, class: is, detail, text }) =>
    changeOf(expected, "changed", object, before.includes(text) ? "unrepaired" : is, detail),
  );
}
