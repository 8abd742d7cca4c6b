import { type Environment, targetOf } from "@microremed/catalogue";
import type { Kind, Pod } from "@microremed/cluster";
import { noFailure } from "@microremed/contracts";
import { isJsonObject } from "@microremed/core";
import { actingOn, placeOf, stampOf } from "./acting.ts";
import { addressFindings } from "./address-findings.ts";
import { bystandersOf } from "./bystanders/bystanders.ts";
import { isChaosRules } from "./chaos-rules.ts";
import { type Departures, departuresOf, fieldsOf } from "./departures.ts";
import { differenceOf } from "./difference.ts";
import { digestOf, revisionOf } from "./digest.ts";
import { identityOf, isRootCertificates, ownObjects } from "./inventory.ts";
import { jobTemplatesOf } from "./job-templates.ts";
import { annotationsOfMade } from "./made-findings.ts";
import type { Mark } from "./mark.ts";
import { findingText, podFindings } from "./pod-changes.ts";
import { unaskedAnnotations } from "./pod-notes.ts";
import { workloadsOver } from "./pod-owner.ts";
import { tokensOf } from "./pod-token.ts";
import { knownPrograms } from "./programs/program-changes.ts";
import { knownVariables, variableNames } from "./programs/started-with.ts";
import type { ArenaObjects } from "./read-arena.ts";
import type { ArenaRecord } from "./record.ts";
import { isRevision } from "./revisions.ts";
import { rolesOf } from "./role-findings.ts";
import { startFindings, startText } from "./starting/start-findings.ts";
import { versionsOf } from "./starting/started-before-write.ts";
import { type KnownStores, storeChanges, storeText } from "./stores/store-changes.ts";
import { mountedVolumes, withMostOfEach } from "./volumes/read-volumes.ts";

/** What is known of an injection beside the arena. */
export interface Injected
  extends Pick<Mark, "failure" | "target" | "alsoFailed" | "fence" | "injectedAt" | "expiresAt" | "nodes">,
    Partial<Pick<Mark, "further" | "resourcesOf">> {
  /** Identities of objects that the incident is about beside its workloads. Default: none. */
  readonly hit?: ReadonlySet<string>;
  /** Kinds of the faults' causes; a fault that is no object has none. */
  readonly causes: readonly Kind[];
}

/** How an arena is right after an injection. `outside`: the cluster around it. `stores`: how they were before. */
export function markOf(
  { causes: kinds, hit = new Set(), ...injected }: Injected,
  environment: Environment,
  { objects: record }: Pick<ArenaRecord, "objects">,
  arena: ArenaObjects,
  outside: Departures,
  stores?: KnownStores,
): Mark {
  const difference = differenceOf(record, ownObjects(arena.objects));
  const declared = new Set(record.map(identityOf));
  const acting = actingOn(arena);
  const causes = acting.filter(
    (object) => kinds.some(({ kind }) => kind === object.kind) && !declared.has(identityOf(object)),
  );
  const pods = arena.objects.filter(({ kind }) => kind === "Pod");
  const certificates = arena.objects.find(isRootCertificates);
  // One that never got a volume has nothing to lose.
  const claims = arena.objects.filter(
    ({ kind, status }) =>
      kind === "PersistentVolumeClaim" && !(isJsonObject(status) && status["phase"] === "Pending"),
  );
  const departures = departuresOf(difference);
  return {
    further: [],
    resourcesOf: [],
    ...injected,
    arena: departures,
    fields: fieldsOf(difference),
    bystanders: bystandersOf(
      environment,
      record,
      arena.objects,
      new Set([...hit, ...failedIn(injected, environment), ...Object.keys(departures)]),
    ),
    acting: Object.fromEntries(acting.map((object) => [placeOf(object), stampOf(object)])),
    causes: causes.map(placeOf),
    pods: podFindings(environment, arena).map(findingText),
    starts: startFindings(record, arena.objects, arena.nodes).map(startText),
    addresses: addressFindings(environment, arena).map(({ text }) => text),
    revisions: Object.fromEntries(
      arena.objects.filter(isRevision).map((one) => [one.metadata.uid ?? "", revisionOf(one)]),
    ),
    jobTemplates: jobTemplatesOf(arena.objects),
    podAnnotations: unaskedAnnotations(environment, arena.objects),
    podTokens: [...new Set((pods as readonly Pod[]).flatMap(tokensOf))],
    madeAnnotations: annotationsOfMade(arena.objects),
    ...(certificates && { certificates: digestOf(certificates) }),
    versions: versionsOf(arena.objects),
    roles: rolesOf(environment, arena.objects),
    claims: Object.fromEntries(claims.map(({ metadata }) => [metadata.name, metadata.uid ?? ""])),
    ...(arena.programs && {
      programs: knownPrograms(
        pods as readonly Pod[],
        arena.programs,
        workloadsOver(environment, arena.objects),
      ),
    }),
    variables: arena.programs
      ? knownVariables(
          record,
          pods as readonly Pod[],
          arena.programs,
          workloadsOver(environment, arena.objects),
        )
      : {},
    variableNames: arena.programs
      ? variableNames(pods as readonly Pod[], arena.programs, workloadsOver(environment, arena.objects))
      : {},
    ...(arena.volumes && {
      volumes: withMostOfEach(
        arena.volumes,
        mountedVolumes(pods as readonly Pod[]),
        workloadsOver(environment, arena.objects),
      ),
    }),
    ...(stores && { stores }),
    storeFaults: stores
      ? storeChanges(environment, arena.objects, arena.stores ?? {}, stores, record, () => false).map(
          storeText,
        )
      : [],
    outside,
    isOver: false,
    isRearming: false,
    damage: null,
  };
}

/** The workloads that faults were injected into: identities. */
const failedIn = (
  { failure, target, alsoFailed }: Pick<Injected, "failure" | "target" | "alsoFailed">,
  environment: Environment,
): string[] =>
  (failure === noFailure ? [] : [targetOf(environment, target)?.name ?? target, ...alsoFailed]).flatMap(
    (name) => {
      const kind = environment.workloads[name]?.kind;
      return kind === undefined ? [] : [`${kind}/${name}`];
    },
  );

/** What acts on the arena after the fault was put back: its cause is a new object. */
export function actingRearmed(mark: Mark, arena: ArenaObjects): Mark["acting"] {
  // No rules but the fault's own can be there: a fault is put back only where nothing else acts.
  const causes = actingOn(arena).filter(
    (object) => mark.causes.includes(placeOf(object)) || isChaosRules(object),
  );
  return {
    ...mark.acting,
    ...Object.fromEntries(causes.map((object) => [placeOf(object), stampOf(object)])),
  };
}
