import {
  type GroundTruth,
  identityOf,
  isHidden,
  type Whereabouts,
  wrongObjects,
} from "@microremed/catalogue";
import type { Cause } from "./cause.ts";
import {
  comparePaths,
  type DeclaredItems,
  declaredItems,
  declaredValue,
  reachesField,
  stepsWithin,
} from "./compare-paths.ts";
import { asText, compareValues, isValue, partOfValue } from "./compare-values.ts";

/** The parts of a cause, in the order of an answer. */
const partNames = ["object", "field", "wrong", "right", "mechanism", "system_level", "fault_type"] as const;
type PartName = (typeof partNames)[number];
/** From 0 to 1; a part that is not asked for is absent. */
export type Parts = Readonly<Partial<Record<PartName, number>>>;

/** How the causes of an answer agree with those of an incident. */
export interface Comparison {
  readonly parts: Parts;
  /** Parts in which a cause that was named is not right; partial credit may be given for them. */
  readonly missed: readonly PartName[];
}

/** A cause of an answer beside a true one. */
interface Pair extends Comparison {
  readonly cause: Cause;
  /** The fields that it names rightly, with both values; none of an object as a whole. */
  readonly fields: readonly string[];
  /** It names rightly what only belongs to the true cause. */
  readonly isBeside: boolean;
  readonly truth: GroundTruth;
}

/**
 * Compares the causes of an answer with those of an incident, one for each fault. A true cause is paired with at most one
 * of the answer, the best pair first; what stays without a partner has 0 in every part. The same cause twice counts once.
 * No cause where nothing is wrong is right in all parts.
 */
export function compareCauses(
  answered: readonly Cause[],
  truths: readonly GroundTruth[],
  where: Whereabouts,
): Comparison {
  // Of two with the same mechanism the first counts; what only belongs to a cause does not take its place.
  const isBeside = (cause: Cause): boolean =>
    truths.some((truth) => compareWith(cause, truth, where).isBeside);
  const given = onceEach(
    answered.toSorted((one, other) => Number(isBeside(one)) - Number(isBeside(other))),
    where,
  );
  if (truths.length === 0) {
    const parts = Object.fromEntries(partNames.map((part) => [part, Number(given.length === 0)]));
    return { parts, missed: [] };
  }
  const paired = pairs(given, truths, where);
  const further = given.filter((cause) => isFurther(cause, paired, where)).length;
  const beyond = Math.max(0, given.length - further - truths.length);
  const parts = Object.fromEntries(
    partNames.flatMap((part) => {
      const asked = truths.filter((truth) => isAsked(part, truth)).length;
      const sum = paired.reduce((total, pair) => total + (pair.parts[part] ?? 0), 0);
      return asked === 0 ? [] : [[part, sum / (asked + beyond)]];
    }),
  );
  const missed = partNames.filter((part) => paired.some((pair) => pair.missed.includes(part)));
  return { parts, missed };
}

/** The mean of the parts that were asked for. */
export function meanOf(parts: Parts): number {
  const values = Object.values(parts);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function onceEach(causes: readonly Cause[], where: Whereabouts): Cause[] {
  const key = ({ object, mechanism }: Cause): string => `${identityOf(object, where)} ${mechanism}`;
  return [...new Map(causes.toReversed().map((cause) => [key(cause), cause])).values()].reverse();
}

function pairs(given: readonly Cause[], truths: readonly GroundTruth[], where: Whereabouts): Pair[] {
  const possible = given
    .flatMap((cause) => truths.map((truth) => compareWith(cause, truth, where)))
    .sort((one, other) => meanOf(other.parts) - meanOf(one.parts));
  const taken = new Set<unknown>();
  return possible.flatMap((pair) => {
    if (taken.has(pair.cause) || taken.has(pair.truth)) return [];
    taken.add(pair.cause).add(pair.truth);
    return [pair];
  });
}

/** Whether a cause names, beside one that is wholly right, another field of the same fault, with both values. */
function isFurther(cause: Cause, paired: readonly Pair[], where: Whereabouts): boolean {
  if (paired.some((pair) => pair.cause === cause)) return false;
  return paired.some(({ truth, fields, parts }) => {
    const others = compareWith(cause, truth, where).fields.filter((field) => !fields.includes(field));
    return parts.mechanism === 1 && fields.length > 0 && others.length > 0;
  });
}

type WrongObject = GroundTruth["objects"][number];

/** Of the right object alone field and values can be right. */
function compareWith(cause: Cause, truth: GroundTruth, where: Whereabouts): Pair {
  const others = wrongObjects(truth);
  const id = identityOf(cause.object, where, others);
  const isRightObject = others.some((one) => identityOf(one, where, others) === id);
  const candidates = truth.objects
    .filter((one) => identityOf(one, where, others) === id)
    .map((object) => ({ object, ...valuesFor(cause, object, where) }));
  // What only belongs to the cause is right beside it, and not in its place.
  const causes = candidates.filter(({ object }) => !object.beside);
  const best = (compare: (one: Candidate) => number): number => Math.max(0, ...causes.map(compare));
  const all: Record<PartName, number> = {
    object: Number(isRightObject),
    field: best(({ object }) => comparePaths(cause.field, object.field)),
    wrong: best((one) => agreementOf("wrong", cause, one)),
    right: best((one) => agreementOf("right", cause, one)),
    mechanism: Number(cause.mechanism === truth.mechanism),
    system_level: Number(cause.system_level === truth.systemLevel),
    fault_type: Number(cause.fault_type === truth.faultType),
  };
  const parts = Object.fromEntries(Object.entries(all).filter(([part]) => isAsked(part as PartName, truth)));
  const [fewest = ["field", "wrong", "right"] as const] = causes
    .map((candidate) => missedOf(cause, candidate))
    .toSorted((a, b) => a.length - b.length);
  const named = candidates
    .filter((candidate) => !isWhole(candidate.object) && missedOf(cause, candidate).length === 0)
    .map(({ object }) => object);
  const fields = named.map(({ field }) => field);
  const isBeside = named.some(({ beside }) => beside);
  return { cause, truth, fields, isBeside, parts, missed: fewest.filter((part) => part in parts) };
}

/** A wrong field that an answer may mean, with the values of what of it the answer names. */
interface Candidate {
  readonly object: WrongObject;
  readonly items: DeclaredItems;
  /** The environment does not set it, so that the cluster has a default there. */
  readonly isLeftOut: boolean;
  readonly given: Values;
  readonly wrong: string;
  readonly right: string;
}
type Values = Pick<WrongObject, "wrong" | "right">;

const isWhole = ({ field }: Pick<WrongObject, "field">): boolean => field === "";

/** Who names an object as a whole is asked for no value of it. */
function agreementOf(part: keyof Values, cause: Cause, { object, given, ...own }: Candidate): number {
  return isWhole(object) ? Number(isWhole(cause)) : compareValues(given[part], own[part], object.field);
}

/** The field and its two values belong together: of one wrong field all three are right, or the cause is not found. */
function missedOf(
  cause: Cause,
  { object: { field }, items, isLeftOut, given, wrong, right }: Candidate,
): PartName[] {
  if (field === "") return isWhole(cause) ? [] : ["field", "wrong", "right"];
  const isRight: readonly (readonly [PartName, boolean])[] = [
    ["field", comparePaths(cause.field, field) > 0 && reachesField(cause.field, field, items)],
    ["wrong", isValue(given.wrong, wrong, right, field)],
    [
      "right",
      isValue(given.right, right, wrong, field) || (isLeftOut && isValue(given.right, "none", wrong, field)),
    ],
  ];
  return isRight.flatMap(([part, found]) => (found ? [] : [part]));
}

/** The values of the field, or of the part of it that the answer names. */
function valuesFor(
  cause: Cause,
  object: WrongObject,
  { environment }: Whereabouts,
): Omit<Candidate, "object"> {
  const { kind, name, field } = object;
  const declared = [...environment.manifests, ...environment.made].find(
    (one) => one.kind === kind && one.metadata.name === name,
  );
  const items = declaredItems(declared, field);
  const isLeftOut = declared !== undefined && declaredValue(declared, field) === undefined;
  const steps = stepsWithin(cause.field, object.field, items);
  const [wrong, right] = [partOfValue(object.wrong, steps), partOfValue(object.right, steps)];
  // Secrets hold base64.
  const read = (value: string): string => (object.kind === "Secret" ? asText(value, [wrong, right]) : value);
  return { items, isLeftOut, given: { wrong: read(cause.wrong), right: read(cause.right) }, wrong, right };
}

/**
 * No field of an object that can be seen is wrong under a hidden one; of an object that is wrong as a whole there are no
 * values.
 */
function isAsked(part: PartName, { objects, systemLevel, faultType }: GroundTruth): boolean {
  const visible = objects.filter((object) => !isHidden(object));
  switch (part) {
    case "field":
      return visible.length > 0;
    case "wrong":
    case "right":
      return visible.some(({ field }) => field !== "");
    case "system_level":
      return systemLevel !== null;
    case "fault_type":
      return faultType !== null;
    default:
      return true;
  }
}
