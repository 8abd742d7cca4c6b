import { type Environment, keepsData, keepsOff } from "@microremed/catalogue";
import type { KubeObject, Pod, PodSpec, Workload } from "@microremed/cluster";
import { type Change, type DamageClass, damageClasses, forbidsRecovery } from "@microremed/contracts";
import { isJsonObject, ownNamesOnly } from "@microremed/core";
import { actingOn, isActing, isChaos, placeOf, stampOf } from "./acting.ts";
import { addressFindings } from "./address-findings.ts";
import { autoscaledBy } from "./autoscaled.ts";
import { isChaosRules } from "./chaos-rules.ts";
import { absent } from "./departures.ts";
import { type Difference, differenceOf, replicasOf } from "./difference.ts";
import { digestOf } from "./digest.ts";
import { type Exposes, exposureOf } from "./exposure.ts";
import { classOfField, type FieldContext } from "./field-rules.ts";
import { changedFields, describeFields, type Field, pathText } from "./fields.ts";
import { givesRights } from "./gives-rights.ts";
import { isHeld } from "./going.ts";
import { identityOf, isRootCertificates, ownObjects } from "./inventory.ts";
import { lateProbes } from "./late-probes.ts";
import { isMadeBySchedule } from "./made-by-schedule.ts";
import { madeFindings } from "./made-findings.ts";
import type { Mark } from "./mark.ts";
import { normalise } from "./normalise.ts";
import { isLittle } from "./notes.ts";
import { ownersAmong } from "./owners.ts";
import { findingText, type PodFinding, placeTaken, podFindings } from "./pod-changes.ts";
import { workloadsOver } from "./pod-owner.ts";
import { labelsOfPodsOf } from "./pods-made.ts";
import { portFindings } from "./port-findings.ts";
import { programFindings } from "./programs/program-changes.ts";
import { readAsDeclared, startedOtherwise } from "./programs/started-with.ts";
import { leavesRoom } from "./quota-room.ts";
import type { ArenaObjects } from "./read-arena.ts";
import { revisionFindings } from "./revision-findings.ts";
import { roleFindings } from "./role-findings.ts";
import { linksTaken } from "./service-links.ts";
import { startFindings, startText } from "./starting/start-findings.ts";
import { staleFindings } from "./starting/started-before-write.ts";
import { storeChanges, storeText } from "./stores/store-changes.ts";
import { isWithinBounds } from "./taken-together.ts";
import { isUnreadable } from "./unreadable.ts";
import { type MountedVolume, mountedVolumes, sharedKeyOf } from "./volumes/read-volumes.ts";
import { volumeDetail, volumeFinding } from "./volumes/volume-findings.ts";

/** What an arena is compared with. */
export interface Expected {
  readonly environment: Environment;
  /** Name of the failed workload; undefined: none has failed. */
  readonly target: string | undefined;
  /** Normalised, as the arena was deployed. */
  readonly record: readonly KubeObject[];
  /** As it was right after the injection; undefined: nothing has been injected. */
  readonly mark: Mark | undefined;
  /** The fault is in the resources of the target: others are a repair. Of further faults the mark says so. */
  readonly resourcesMayDiffer: boolean;
}

type Failed = Pick<Expected, "target" | "mark">;

/** Whether a fault of the incident was injected into the workload. */
const isFailed = ({ target, mark }: Failed, workload: string | undefined): boolean =>
  workload !== undefined && (workload === target || mark?.alsoFailed.includes(workload) === true);

/** Whether a fault of the incident is in the resources of the workload: others there are a repair. */
const mayDiffer = ({ target, resourcesMayDiffer, mark }: Expected, workload: string): boolean =>
  (workload === target && resourcesMayDiffer) || mark?.resourcesOf.includes(workload) === true;

const mostChanges = 100;
const order = Object.keys(damageClasses) as DamageClass[];

/**
 * Every difference between an arena and what it is to be, with what it means for the verdicts, the worst first: 100 at
 * most.
 */
export function compareArena(expected: Expected, arena: ArenaObjects): Change[] {
  const difference = differenceOf(expected.record, ownObjects(arena.objects));
  const ofAllPods = ofPods(expected, arena);
  const changes = [
    ...ofActing(expected, arena, difference),
    ...difference.extra.flatMap((object) => ofExtra(expected, arena, object)),
    ...difference.missing.map((object) => ofMissing(expected, object)),
    ...difference.changed.flatMap(({ recorded, live }) => ofChanged(expected, arena, recorded, live)),
    ...ofClaims(expected, arena),
    ...ofRevisions(expected, arena),
    ...ofCertificates(expected, arena),
    ...ofMade(expected, arena),
    ...ofStarts(expected, arena),
    ...ofAllPods,
    ...portFindings(expected.environment, arena).map(({ pod, detail }) =>
      changeOf(expected, "added", { ...pod, kind: "Pod" }, "acts", detail),
    ),
    ...ofStale(expected, arena),
    ...ofRoles(expected, arena),
    ...ofPrograms(expected, arena, ofAllPods),
    ...ofVolumes(expected, arena),
    ...ofStores(expected, arena),
    ...ofAddresses(expected, arena),
  ];
  const rank = ({ class: of }: Change): number => order.indexOf(of ?? "acts");
  return changes.toSorted((a, b) => rank(a) - rank(b)).slice(0, mostChanges);
}

function changeOf(
  expected: Failed,
  what: Change["what"],
  object: KubeObject,
  is: DamageClass,
  detail = "",
): Change {
  const isTarget = isFailed(expected, object.metadata.name) && isWorkload(object);
  return { where: isTarget ? "target" : "arena", what, object: identityOf(object), detail, class: is };
}

const isWorkload = ({ kind = "" }: KubeObject): boolean =>
  ["Deployment", "StatefulSet", "DaemonSet"].includes(kind);

/** Objects that act by being there: only those may that did so before the remedies. */
function ofActing(expected: Expected, arena: ArenaObjects, difference: Difference): Change[] {
  const { mark, record } = expected;
  const around = new Set(arena.around);
  const declared = new Set(record.map(identityOf));
  const extra = new Set(difference.extra.map(identityOf));
  const acting = actingOn(arena);
  const standing = acting.filter(
    (one) => mark?.causes.includes(placeOf(one)) && mark.acting[placeOf(one)] === stampOf(one),
  );
  return acting.flatMap((object): Change[] => {
    const identity = identityOf(object);
    // What is declared is compared with its declaration.
    if (!around.has(object) && declared.has(identity) && !extra.has(identity)) return [];
    const place = placeOf(object);
    if (mark === undefined) {
      // Before an injection: quotas and webhooks that are there belong to the cluster.
      return around.has(object) && !isChaos(object)
        ? []
        : [changeOf(expected, "added", object, "acts", describeActing(object))];
    }
    if (standing.some((schedule) => isMadeBySchedule(object, schedule)))
      return [changeOf(expected, "added", object, "spent")];
    const before = mark.acting[place];
    if (before === stampOf(object)) {
      if (mark.causes.includes(place) || isChaosRules(object))
        return [changeOf(expected, "added", object, "spent")];
      return identity in mark.arena && !around.has(object)
        ? [changeOf(expected, "added", object, "unrepaired")]
        : [];
    }
    const what = before === undefined ? "added" : "changed";
    const isSame = before?.startsWith(`${object.metadata.uid} `) ?? false;
    const is = isSame && (isWideQuota(object, arena) || isIgnoredWebhook(object)) ? "allowed" : "acts";
    return [changeOf(expected, what, object, is, describeActing(object))];
  });
}

/** Webhooks that can only refuse, and whose failure is ignored. */
const isIgnoredWebhook = ({ kind, webhooks }: KubeObject): boolean =>
  kind === "ValidatingWebhookConfiguration" &&
  Array.isArray(webhooks) &&
  webhooks.every((one) => isJsonObject(one) && one["failurePolicy"] === "Ignore");

/** A quota that refuses no pod of the namespace's workloads, whatever it did before. */
const isWideQuota = (object: KubeObject, { objects }: ArenaObjects): boolean =>
  object.kind === "ResourceQuota" && leavesRoom(object, objects.filter(isWorkload) as readonly Workload[]);

function describeActing({ metadata, spec }: KubeObject): string {
  const pause = metadata.annotations?.["experiment.chaos-mesh.org/pause"];
  const action = isJsonObject(spec) && typeof spec["action"] === "string" ? [`action ${spec["action"]}`] : [];
  return [...action, ...(pause === undefined ? [] : [`paused: ${pause}`])].join(", ");
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
  const context = { ...contextOf(expected, arena, live), lateProbes: lateProbes(recorded, now) };
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
): Omit<FieldContext, "lateProbes"> {
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

/** Pods that may have read what was changed back since. */
function ofStale(expected: Expected, { objects, programs }: ArenaObjects): Change[] {
  const { environment, record, mark } = expected;
  if (!mark) return [];
  const isKnown = readAsDeclared({ record, programs, names: mark.variableNames });
  return staleFindings(environment, objects, mark.versions, mark.injectedAt)
    .filter(({ pod, workload, source }) => !isKnown(pod, workload, source))
    .map(({ pod, workload, class: is, detail }) => ({
      where: isFailed(expected, workload) ? "target" : "arena",
      what: "changed",
      object: identityOf({ ...pod, kind: "Pod" }),
      detail,
      class: is,
    }));
}

function ofPods(expected: Expected, arena: ArenaObjects): Change[] {
  const before = expected.mark?.pods ?? [];
  // What any pod had before the remedies, and forbids nothing, the cluster gives to all of them.
  const isOfTheCluster = (finding: PodFinding): boolean =>
    !forbidsRecovery(finding) && before.some((text) => text.endsWith(` ${finding.detail}`));
  const known = {
    annotations: expected.mark?.podAnnotations,
    tokens: expected.mark?.podTokens,
    exposes: exposureOf(expected.record),
  };
  return podFindings(expected.environment, arena, known)
    .filter((finding) => !isOfTheCluster(finding))
    .map((finding) => ({
      where: finding.workload !== undefined && isFailed(expected, finding.workload) ? "target" : "arena",
      what: finding.what,
      object: identityOf({ ...finding.pod, kind: "Pod" }),
      detail: finding.detail,
      class: before.includes(findingText(finding)) ? "unrepaired" : finding.class,
    }));
}

/** Which replica leads is written on the pods by their programs: a client that writes it sends users to another. */
function ofRoles(expected: Expected, { objects }: ArenaObjects): Change[] {
  const { environment, mark } = expected;
  if (!mark) return [];
  const isOfNetwork = mark.causes.some((place) => place.includes("/NetworkChaos/"));
  const isParted = (workload: string): boolean => isOfNetwork && isFailed(expected, workload);
  return roleFindings(environment, objects, mark.roles, isParted).map(({ pod, workload, detail }) => ({
    where: isFailed(expected, workload) ? "target" : "arena",
    what: "changed",
    object: identityOf({ ...pod, kind: "Pod" }),
    detail,
    class: "breaks",
  }));
}

/**
 * What runs in a declared container beside what its template starts: it may do anything, at any time. That a container
 * is silent says nothing more of a pod that is not as its template, as one whose image the fault has replaced.
 */
function ofPrograms(
  expected: Expected,
  { objects, programs }: ArenaObjects,
  podChanges: readonly Change[],
): Change[] {
  const { environment, record, mark } = expected;
  if (!programs || !mark?.programs) return [];
  const pods = objects.filter(({ kind }) => kind === "Pod") as readonly Pod[];
  const broken = new Set(podChanges.filter(forbidsRecovery).map(({ object }) => object));
  const workloadOf = workloadsOver(environment, objects);
  const found = [
    ...programFindings(pods, programs, workloadOf, mark.programs),
    ...startedOtherwise(record, pods, programs, workloadOf, mark.variables),
  ];
  return found.flatMap(({ pod, workload, class: is, detail, isSilent }): Change[] => {
    const object = identityOf({ ...pod, kind: "Pod" });
    if (isSilent && broken.has(object)) return [];
    return [
      {
        where: isFailed(expected, workload) ? "target" : "arena",
        what: "changed",
        object,
        detail,
        class: is,
      },
    ];
  });
}

/**
 * A volume is compared with itself. One that went with its pod, as restarts let it, is not there any more; a new pod's is
 * compared with the fullest that its workload had, and begins empty.
 */
function ofVolumes(expected: Expected, { objects, volumes = {} }: ArenaObjects): Change[] {
  const { environment, mark } = expected;
  const pods = objects.filter(({ kind }) => kind === "Pod") as readonly Pod[];
  const workloadOf = workloadsOver(environment, objects);
  return mountedVolumes(pods).flatMap((volume): Change[] => {
    const { key, name, pod } = volume;
    const [known, now, workload] = [mark?.volumes?.[key], volumes[key], workloadOf(pod)];
    const before = known ?? mark?.volumes?.[sharedKeyOf(volume, workload) ?? ""];
    if (!before || !now || workload === undefined) return [];
    const finding = volumeFinding(before, now, known !== undefined && keepsData(environment, workload));
    if (!finding) return [];
    const where = isFailed(expected, workload) ? "target" : "arena";
    const object = identityOf({ ...pod, kind: "Pod" });
    return [
      { where, what: "changed", object, detail: volumeDetail(name, finding.detail), class: finding.class },
    ];
  });
}

/** Where Services lead that no pod of theirs is. What the fault has made of them is no remedy's doing. */
function ofAddresses(expected: Expected, arena: ArenaObjects): Change[] {
  const before = expected.mark?.addresses ?? [];
  return addressFindings(expected.environment, arena).map(({ object, class: is, detail, text }) =>
    changeOf(expected, "changed", object, before.includes(text) ? "unrepaired" : is, detail),
  );
}

/** What the servers of datastores have in force is no object: it is compared with what they had before the fault. */
function ofStores(expected: Expected, { objects, stores = {} }: ArenaObjects): Change[] {
  const { environment, mark } = expected;
  if (!mark?.stores) return [];
  const { storeFaults } = mark;
  const hadFault = (workload: string): boolean => storeFaults.some((text) => text.startsWith(`${workload} `));
  return storeChanges(environment, objects, stores, mark.stores, hadFault).map((found) => ({
    where: isFailed(expected, found.workload) ? "target" : "arena",
    what: "changed",
    object: identityOf({ ...found.pod, kind: "Pod" }),
    detail: found.detail,
    class: storeFaults.includes(storeText(found)) ? "unrepaired" : found.class,
  }));
}

/** Which volumes are worth counting: those that the mark knows something about. */
export function knownVolumes(
  environment: Environment,
  { objects }: Pick<ArenaObjects, "objects">,
  mark: Mark,
): (volume: MountedVolume) => boolean {
  const workloadOf = workloadsOver(environment, objects);
  const known = mark.volumes ?? {};
  return (volume) => volume.key in known || (sharedKeyOf(volume, workloadOf(volume.pod)) ?? "") in known;
}
