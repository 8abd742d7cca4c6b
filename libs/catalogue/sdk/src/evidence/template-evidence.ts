import { isJsonObject } from "@microremed/core";
import { valueInWords } from "../value-in-words.ts";
import type { CausePart } from "../workload-change/edits.ts";
import { type Changes, changesByObject } from "./changed-workloads.ts";
import { type ChangedField, writesIn } from "./changes.ts";
import { commonCalls, printedBy, shellCall } from "./common-calls.ts";
import type { CauseLabels, Evidence, EvidenceCall, Finding } from "./evidence.ts";

/** A field of a pod's or a container's spec. */
export interface TemplateField {
  readonly of: "pod" | "container";
  readonly field: string;
}

/** A field of a pod template as a whole, before and after it was changed. */
export interface TemplateChange {
  readonly object: ChangedField["object"];
  /** As the change log has it: what is now, with the differences undone, those of the last rollout first. Undefined: there was none. */
  readonly was: unknown;
  readonly is: unknown;
  /** The container whose field it is, with all its fields; empty if it is a field of the pod. */
  readonly container: Readonly<Record<string, unknown>>;
  /** Answers to the fault's own calls. */
  readonly answers: readonly string[];
}

/** Workloads that are read, those that were changed last. */
const mostWorkloads = 4;

/**
 * Evidence in a field of pod templates that was changed lately, if the change log's parts of it do not say enough: each
 * changed workload is read. `isCause` says whether the field as a whole is the cause, or which part of it is. `calls`: others
 * that it needs.
 */
export const templateEvidence = (
  labels: CauseLabels,
  wanted: TemplateField,
  isCause: (change: TemplateChange) => boolean | CausePart,
  calls: readonly EvidenceCall[] = [],
): Evidence => ({
  next(answers) {
    const [log, ...rest] = answers;
    if (log === undefined) return commonCalls.changes;
    const writes = writesIn(log);
    const all = changesByObject(log).flatMap((changes) => changeOf(changes, writes, wanted));
    if (all.length === 0) return [];
    const missing = calls[rest.length];
    if (missing) return missing;
    const read = rest.slice(calls.length);
    const some = all.slice(0, mostWorkloads);
    const next = some[read.length];
    if (next) return liveField(next.object, wanted);
    return some.flatMap((one, index) =>
      findingOf(
        one,
        { live: read[index] ?? "", answers: rest.slice(0, calls.length) },
        { wanted, isCause, labels },
      ),
    );
  },
});

interface Touched {
  readonly object: ChangedField["object"];
  /** The container whose field was changed; undefined: it is a field of the pod. */
  readonly container: string | undefined;
  /** What each rollout has changed of it, the latest first. */
  readonly rollouts: readonly (readonly ChangedField[])[];
}

/** What of an object's changes is in the wanted field. */
function changeOf(
  all: Changes,
  writes: readonly (readonly ChangedField[])[],
  { of, field }: TemplateField,
): Touched[] {
  const container = of === "container" ? "containers\\[([^\\]]+)\\]\\." : "()";
  const path = new RegExp(`^spec\\.template\\.spec\\.${container}${field}(?:[.[]|$)`);
  const first = all.find((one) => one.knowsBefore && path.test(one.field));
  if (!first) return [];
  const { object } = first;
  const nameIn = (one: ChangedField): string | undefined => path.exec(one.field)?.[1] || undefined;
  const isOwn = (one: ChangedField): boolean =>
    one.object.kind === object.kind &&
    one.object.name === object.name &&
    path.test(one.field) &&
    nameIn(one) === nameIn(first);
  const rollouts = writes.map((fields) => fields.filter(isOwn)).filter(({ length }) => length > 0);
  return [{ object, container: nameIn(first), rollouts }];
}

/** Of a container all fields: other faults that read the same one share the call. */
const liveField = ({ kind, name }: ChangedField["object"], { of, field }: TemplateField): EvidenceCall =>
  shellCall(
    `kubectl get ${kind.toLowerCase()}s -o jsonpath='{range .items[*]}{.metadata.name} {.spec.template.spec.${of === "pod" ? field : "containers"}}{"\\n"}{end}' | sed -n 's/^${name} //p'`,
  );

function findingOf(
  { object, container: name, rollouts }: Touched,
  { live, answers }: { readonly live: string; readonly answers: readonly string[] },
  {
    wanted,
    isCause,
    labels,
  }: {
    readonly wanted: TemplateField;
    readonly isCause: Parameters<typeof templateEvidence>[2];
    readonly labels: CauseLabels;
  },
): Finding[] {
  const printed = printedBy(live);
  const value = parsed(printed);
  const container =
    (Array.isArray(value) ? value.filter(isJsonObject) : []).find((one) => one["name"] === name) ?? {};
  const is = wanted.of === "pod" ? (printed === "" ? undefined : value) : container[wanted.field];
  const base = wanted.of === "pod" ? wanted.field : `containers[${name}].${wanted.field}`;
  const start = `spec.template.spec.${base}`.length;
  const was = rollouts.reduce((value, changes) => undone(value, changes, start), is);
  const cause = isCause({ object, was, is, container: wanted.of === "pod" ? {} : container, answers });
  if (cause === false) return [];
  const part = cause === true ? {} : cause;
  const place = wanted.of === "pod" ? wanted.field : `containers[name=${name}].${wanted.field}`;
  return [
    {
      object,
      field: `spec.template.spec.${place}${part.path ?? ""}`,
      wrong: part.wrong ?? valueInWords(is),
      right: part.right ?? valueInWords(was),
      workload: object.name,
      seen: "cause",
      ...labels,
    },
  ];
}

/** A value as it was before the changes of one rollout. `start`: characters of a field's path that lead to the value. */
const undone = (value: unknown, changes: readonly ChangedField[], start: number): unknown =>
  inUndoOrder(changes).reduce(
    (now, { field, was }) =>
      withValue(now, stepsOf(field.slice(start)), was === null ? undefined : parsed(was)),
    value,
  );

/** What was added goes first, the last item of a list before the others: to take one away moves those behind it. */
const inUndoOrder = (changes: readonly ChangedField[]): ChangedField[] => [
  ...changes.filter(({ was }) => was === null).toReversed(),
  ...changes.filter(({ was }) => was !== null),
];

/** A value of the log, which leaves out the end of long ones: those stay a text. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

const stepsOf = (path: string): string[] =>
  [...path.matchAll(/\.([^.[\]]+)|\[([^\]]*)\]/g)].map(([, name, item]) => name ?? item ?? "");

/** A value with another one below it; undefined takes it away. An item of a list has its name or its place. */
function withValue(value: unknown, [step, ...rest]: readonly string[], below: unknown): unknown {
  if (step === undefined) return below;
  if (Array.isArray(value)) {
    const named = value.findIndex((item) => isJsonObject(item) && item["name"] === step);
    const place = named >= 0 ? named : /^\d+$/.test(step) ? Number(step) : value.length;
    const next = withValue(value[place], rest, below);
    if (next === undefined) return value.filter((_, index) => index !== place);
    return [...value.slice(0, place), next, ...value.slice(place + 1)];
  }
  const old = isJsonObject(value) ? value : {};
  const next = withValue(old[step], rest, below);
  if (next !== undefined) return { ...old, [step]: next };
  const { [step]: _, ...others } = old;
  return value === undefined ? undefined : others;
}
