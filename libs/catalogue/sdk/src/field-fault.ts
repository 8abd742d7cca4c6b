import type { Kind } from "@microremed/cluster";
import type { z } from "zod";
import { affectedObjects } from "./affected-objects.ts";
import type { CauseLabels, Evidence } from "./evidence/evidence.ts";
import type { FaultContext, FaultStatus, TruthContext, WithParameters } from "./fault.ts";
import {
  type FieldChange,
  fieldText,
  isWrong,
  type PatchOperation,
  rightValue,
  runningValue,
  setField,
} from "./field-change.ts";
import type { GroundTruth } from "./ground-truth.ts";
import { parametersOf, patchCommand, type Remedy, type RemedyContext } from "./remedy.ts";
import { valueInWords } from "./value-in-words.ts";

/** A fault that gives fields of other objects than workloads other values; for workloads there is `workloadFault`. */
export interface FieldFault<S extends z.ZodObject> extends CauseLabels {
  readonly parameters: S;
  /** The fields, the cause first. */
  readonly changes: (context: TruthContext & WithParameters<z.output<S>>) => readonly FieldChange[];
  /** One sentence: how the first leads to the symptom. */
  readonly explanation: (context: TruthContext & WithParameters<z.output<S>>) => string;
  /** How the tools reveal it, of what gets its labels. */
  readonly evidence?: (labels: CauseLabels) => Evidence;
}

/** What follows from the fields: all of a fault but its names, targets, oracles and shortcuts. */
export interface FieldFaultParts<S extends z.ZodObject> {
  readonly parameters: S;
  inject(context: FaultContext & WithParameters<z.output<S>>): Promise<void>;
  status(context: FaultContext & WithParameters<z.output<S>>): Promise<FaultStatus>;
  remove(context: FaultContext & WithParameters<z.output<S>>): Promise<void>;
  truth(context: TruthContext & WithParameters<z.output<S>>): GroundTruth;
  readonly repairs: readonly Remedy[];
  readonly evidence?: Evidence;
}

/**
 * inject, status, remove, ground truth and repairs of a fault that only changes fields of objects that the environment
 * declares: right is what its manifests say. Its repair `set-field` puts that back.
 */
export function fieldFault<S extends z.ZodObject>(fault: FieldFault<S>): FieldFaultParts<S> {
  const { changes, explanation, parameters, evidence, ...labels } = fault;
  const changed = async (context: FaultContext & WithParameters<z.output<S>>) =>
    Promise.all(
      changes(context).map(async (change) => {
        const object = await context.cluster.get(change.kind, context.namespace, change.name);
        return { change, object, isWrong: isWrong(object, change) };
      }),
    );

  return {
    parameters,
    ...(evidence && { evidence: evidence(labels) }),
    async inject(context) {
      const all = await changed(context);
      const open = all.filter((one) => !one.isWrong);
      await patchEach(
        context,
        open.map(({ change, object }) => ({
          change,
          operations: setField(object, change.path, change.wrong),
        })),
      );
    },
    async status(context) {
      const all = await changed(context);
      const words = all.map(
        ({ change, isWrong }) =>
          `${change.kind.kind} ${change.name} ${isWrong ? "has" : "does not have"} the wrong ${fieldText(context.environment, change)}`,
      );
      return {
        present: all.some(({ isWrong }) => isWrong),
        injected: all.every(({ isWrong }) => isWrong),
        pods: [],
        expiresAt: null,
        note: words.join(", "),
      };
    },
    async remove(context) {
      const all = await changed(context);
      const wrong = all.filter((one) => one.isWrong);
      await patchEach(
        context,
        wrong.map(({ change, object }) => ({
          change,
          operations: setField(object, change.path, rightValue(context.environment, change)),
        })),
      );
    },
    truth: (context) => ({
      ...wrongAndAffected(context, changes(context)),
      explanation: explanation(context),
      ...labels,
    }),
    repairs: [setFields((context) => changes({ ...context, parameters: parametersOf(parameters, context) }))],
  };
}

function wrongAndAffected(
  context: TruthContext,
  changes: readonly FieldChange[],
): Pick<GroundTruth, "objects" | "affected"> {
  const { environment } = context;
  const objects = changes.map((change) => ({
    kind: change.kind.kind,
    name: change.name,
    field: fieldText(environment, change),
    wrong: valueInWords(change.wrong),
    right: valueInWords(runningValue(environment, change)),
  }));
  const affected = affectedObjects(context);
  const others = objects.filter(({ kind, name }) =>
    affected.every((one) => one.kind !== kind || one.name !== name),
  );
  const unique = new Map(others.map(({ kind, name }) => [`${kind}/${name}`, { kind, name }]));
  return { objects, affected: [...unique.values(), ...affected] };
}

interface Patched {
  readonly change: FieldChange;
  readonly operations: readonly PatchOperation[];
}

/** One patch for each object: fields that belong together are valid only together. */
const byObject = (all: readonly Patched[]) =>
  Map.groupBy(all, ({ change }) => `${change.kind.kind}/${change.name}`)
    .values()
    .map((some) => ({
      kind: some[0]?.change.kind as Kind,
      name: some[0]?.change.name ?? "",
      operations: some.flatMap(({ operations }) => operations),
    }));

async function patchEach({ cluster, namespace }: FaultContext, all: readonly Patched[]): Promise<void> {
  for (const { kind, name, operations } of byObject(all))
    if (operations.length > 0) await cluster.patch(kind, namespace, name, { type: "json", body: operations });
}

const setFields = (changes: (context: RemedyContext) => readonly FieldChange[]): Remedy => ({
  name: "set-field",
  doc: "the expert's fix: gives the wrong field the value that it had",
  commands: (context) => {
    const all = changes(context);
    const patched = all.map((change): Patched => {
      const value = rightValue(context.environment, change);
      const { path } = change;
      return {
        change,
        operations: [value === undefined ? { op: "remove", path } : { op: "add", path, value }],
      };
    });
    return [
      ...byObject(patched).map(({ kind, name, operations }) => patchCommand(context, kind, name, operations)),
    ];
  },
});
