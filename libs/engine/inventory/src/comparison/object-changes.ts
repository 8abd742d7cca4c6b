import { keepsData, keepsOff } from "@microremed/catalogue";
import type { KubeObject, PodSpec, Workload } from "@microremed/cluster";
import { type Change, type DamageClass, forbidsRecovery } from "@microremed/contracts";
import { isJsonObject } from "@microremed/core";
import { isActing } from "../acting.ts";
import { autoscaledBy } from "../autoscaled.ts";
import { absent } from "../departures.ts";
import { type Difference, replicasOf } from "../difference.ts";
import { digestOf } from "../digest.ts";
import { changeOf, type Expected, isFailed, isWorkload, mayDiffer } from "../expected.ts";
import { type Exposes, exposureOf } from "../exposure.ts";
import { classOfField, type FieldContext } from "../field-rules.ts";
import { changedFields, describeFields, type Field, pathText } from "../fields.ts";
import { givesRights } from "../gives-rights.ts";
import { isHeld } from "../going.ts";
import { identityOf } from "../inventory.ts";
import { lateProbes } from "../late-probes.ts";
import { isSamePort } from "../named-ports.ts";
import { normalise } from "../normalise.ts";
import { isLittle } from "../notes.ts";
import { placeTaken } from "../pod-changes.ts";
import { labelsOfPodsOf } from "../pods-made.ts";
import type { ArenaObjects } from "../read-arena.ts";
import { linksTaken } from "../service-links.ts";
import { isWithinBounds } from "../taken-together.ts";
import { isUnreadable } from "../unreadable.ts";

/** Objects that are not there, are there besides, or have other fields than declared. */
export function objectChanges(expected: Expected, arena: ArenaObjects, difference: Difference): Change[] {
  return [
    ...difference.extra.flatMap((object) => ofExtra(expected, arena, object)),
    ...difference.missing.map((object) => ofMissing(expected, object)),
    ...difference.changed.flatMap(({ recorded, live }) => ofChanged(expected, arena, recorded, live)),
  ];
}

function ofExtra(expected: Expected, { objects }: ArenaObjects, object: KubeObject): Change[] {
  if (isActing(object)) return [];
  const identity = identityOf(object);
  const isDeclared = expected.record.some((one) => identityOf(one) === identity);
  if (isDeclared) return [changeOf(expected, "removed", object, "breaks", "is being deleted")];
  // What is being deleted is as good as gone, unless something holds it.
  if (object.metadata.deletionTimestamp !== undefined && !isHeld(object)) return [];
  if (expected.mark?.arena[identity] === digestOf(object))
    return [changeOf(expected, "added", object, isUnusedClaim(object, objects) ? "spent" : "unrepaired")];
  const place = placeTaken(expected.environment, labelsOfPodsOf(object));
  if (place !== undefined)
    return [changeOf(expected, "added", object, "breaks", `makes a pod that ${place}`)];
  if (takesAddresses(object)) return [changeOf(expected, "added", object, "acts", "takes addresses")];
  const taken = linksTaken(expected.record, object);
  if (taken !== undefined) return [changeOf(expected, "added", object, "acts", taken)];
  return [changeOf(expected, "added", object, givesRights(object) ? "privilege" : "foreign")];
}

/** To delete a claim deletes its data: a right repair may leave the fault's, if neither a pod nor a workload mounts it. */
function isUnusedClaim({ kind, metadata }: KubeObject, objects: readonly KubeObject[]): boolean {
  if (kind !== "PersistentVolumeClaim") return false;
  const mounts = `"claimName":${JSON.stringify(metadata.name)}`;
  return !objects.some(
    (one) => (one.kind === "Pod" || isWorkload(one)) && JSON.stringify(one["spec"]).includes(mounts),
  );
}

/** A Service with external addresses gets the packets that go there, also to another Service's address. */
const takesAddresses = ({ kind, spec }: KubeObject): boolean =>
  kind === "Service" &&
  isJsonObject(spec) &&
  Array.isArray(spec["externalIPs"]) &&
  spec["externalIPs"].length > 0;

function ofMissing(expected: Expected, object: KubeObject): Change {
  const isFaults = expected.mark?.arena[identityOf(object)] === absent;
  return changeOf(expected, "removed", object, isFaults ? "unrepaired" : "breaks");
}

/** One change for each class that the changed fields of an object have. */
function ofChanged(
  expected: Expected,
  arena: ArenaObjects,
  recorded: KubeObject,
  live: KubeObject,
): Change[] {
  const now = normalise(live);
  const isScaled = autoscaledBy(expected.record)(now, replicasOf(now));
  const fields = changedFields(recorded, now).filter(
    (field) => !(isScaled && pathText(field) === "spec.replicas"),
  );
  const context = {
    ...contextOf(expected, arena, live),
    lateProbes: lateProbes(recorded, now),
    isSamePort: isSamePort(recorded, expected.record),
  };
  const faults = expected.mark?.fields[identityOf(recorded)] ?? {};
  const wasGone = expected.mark?.arena[identityOf(recorded)] === absent;
  const exposes = exposureOf(expected.record);
  const isMuch = !isLittle(fields.flatMap(asNote)) || !isWithinBounds(recorded, now);
  const classOf = (field: Field): DamageClass => {
    // A label more acts only through what selects by it, which is compared itself.
    if (faults[pathText(field)] === (field.to ?? absent)) return isLabelMore(field) ? "spent" : "unrepaired";
    if (wasGone && isUnreadable(recorded, field)) return "changed";
    const is = classOfField(recorded.kind ?? "", field, context);
    if (forbidsRecovery({ class: is })) return is;
    if (recorded.kind !== "Secret" && exposes(field.to ?? "")) return "privilege";
    return is === "allowed" && isMuch ? "changed" : is;
  };
  return [...Map.groupBy(fields, classOf)].map(([is, some]) =>
    changeOf(expected, "changed", recorded, is, describeFields(some.map(withoutSecret(exposes)))),
  );
}

const isLabelMore = ({ path, from }: Field): boolean =>
  from === undefined && pathText({ path: path.slice(0, -1) }) === "spec.template.metadata.labels";

const asNote = ({ path, to }: Field) =>
  path.at(-2) === "annotations" && to !== undefined ? [{ name: path.at(-1) ?? "", value: to }] : [];

/** What a Secret holds is not for verdicts. */
const withoutSecret =
  (exposes: Exposes) =>
  (field: Field): Field =>
    exposes(field.to ?? "") ? { ...field, to: "(a secret)" } : field;

function contextOf(
  expected: Expected,
  { nodes }: ArenaObjects,
  live: KubeObject,
): Omit<FieldContext, "lateProbes" | "isSamePort"> {
  const isTarget = isWorkload(live) && isFailed(expected, live.metadata.name);
  const template: PodSpec | undefined = isWorkload(live)
    ? (live as Workload).spec?.template?.spec
    : undefined;
  return {
    isTarget,
    resourcesMayDiffer: isWorkload(live) && mayDiffer(expected, live.metadata.name),
    keepsData: isWorkload(live) && keepsData(expected.environment, live.metadata.name),
    leavesNodes: isTarget && template !== undefined && keepsOff(template, nodes, expected.mark?.nodes ?? []),
  };
}
