import type { z } from "zod";
import { refusedPart } from "./evidence/operated-evidence.ts";
import { operatedFault, operatedWorkloads } from "./operated-fault.ts";
import { mergeCommand, type Remedy } from "./remedy.ts";
import { deletePods, restartEverything } from "./shortcuts.ts";

interface RefusedFault<S extends z.ZodObject> {
  readonly parameters: S;
  /** JSON pointer from the workload's part of the custom resource on. */
  readonly field: string;
  readonly wrong: (parameters: z.output<S>) => unknown;
  /** What the custom resource asks for, after "asks for". */
  readonly asksFor: (parameters: z.output<S>) => string;
  /** How it is found by the field that is refused, as `refusedPart` takes it. */
  readonly fieldFor: Parameters<typeof refusedPart>[1];
  /** A shortcut: another value that is refused. */
  readonly other: { readonly name: string; readonly doc: string; readonly value: unknown };
  /** A shortcut: a field (a JSON pointer) of what the operator has made, set by hand. */
  readonly byHand: { readonly doc: string; readonly field: string; readonly value: unknown };
}

/**
 * All but the names of a fault whose custom resource asks for something that the API server refuses: its operator can change
 * nothing of the workload any more.
 */
export function refusedFault<S extends z.ZodObject>(fault: RefusedFault<S>) {
  const { parameters, field, wrong, asksFor, fieldFor, other, byHand } = fault;
  const parts = operatedFault({
    ...{ parameters, field, wrong },
    explanation: ({ target, parameters: given }) =>
      `the custom resource of ${target} asks for ${asksFor(given)}, so that what its operator makes of it is refused, and no change of it takes effect`,
    mechanism: "refused-on-creation",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: (labels) => refusedPart(labels, fieldFor),
  });
  const editMade: Remedy = {
    name: "edit-statefulset",
    doc: byHand.doc,
    commands: (context) => [
      mergeCommand(context, context.workload, context.name, byHand.field, byHand.value),
    ],
  };
  return {
    symptom: "reconciled",
    recovery: ["ready", "serving", "reconciled"],
    rightActions: [],
    ...operatedWorkloads(field),
    ...parts,
    shortcuts: [parts.setWrong(other.name, other.doc, other.value), editMade, restartEverything, deletePods],
  } as const;
}
