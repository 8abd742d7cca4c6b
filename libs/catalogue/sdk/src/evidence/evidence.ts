import type { FaultType, SystemLevel } from "../ground-truth.ts";
import type { Mechanism } from "../mechanisms.ts";
import type { ObjectRef } from "../objects/object-ref.ts";

/** A call of a tool that reads, as an agent makes it. */
export interface EvidenceCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** It may take all the time that a call has, so it is made with no other one. */
  readonly takesLong?: true;
}

/** What kind of cause it is. */
export interface CauseLabels {
  readonly mechanism: Mechanism;
  readonly systemLevel: SystemLevel;
  readonly faultType: FaultType;
}

/** A fault that was found, in the words of answers that name objects and causes. */
export interface Finding extends CauseLabels {
  /** What is wrong itself; of what acts on a workload from outside, the workload. */
  readonly object: ObjectRef;
  /** Path of the field that is wrong; empty: none is, or the object as a whole. */
  readonly field: string;
  /** Its value as it is, and as it should be; empty where there is no field. */
  readonly wrong: string;
  readonly right: string;
  /** The workload on which it shows: the `target` of the runbook. */
  readonly workload: string;
  /**
   * `cause`: what is wrong was seen itself, such as a changed field. `effect`: only what follows from it; a cause that is
   * seen on the same workload explains it better.
   */
  readonly seen: "cause" | "effect";
  /** Fields of other objects that the cause writes again and again: what is found there follows from it. `field`: the end of a path. */
  readonly writes?: readonly { readonly object: ObjectRef; readonly field: string }[];
}

/**
 * How the fault is found with the tools and the name of the namespace alone. It knows nothing of an incident:
 * everything comes from the answers, as agents get them.
 */
export interface Evidence {
  /**
   * The next call, by the answers to the calls before; or what was found, nothing included. The same answers, the same
   * call. A call that other faults make too is made once, so prefer `commonCalls`. At most 10 calls.
   */
  next(answers: readonly string[], where: { readonly namespace: string }): EvidenceCall | readonly Finding[];
  /** Calls that it makes whatever is answered: they may be made before it asks for them, together with others. */
  readonly ahead?: readonly EvidenceCall[];
}

/** Evidence by calls that do not depend on one another: `read` gets their answers, in the order of `calls`. */
export function evidenceBy(
  calls: readonly EvidenceCall[],
  read: (answers: readonly string[], where: { readonly namespace: string }) => readonly Finding[],
): Evidence {
  const pause = calls.findIndex(isPause);
  return {
    next: (answers, where) => calls[answers.length] ?? read(answers, where),
    ahead: pause < 0 ? calls : calls.slice(0, pause),
  };
}

/** Whether a call lets time pass, and asks nothing. */
export const isPause = ({ tool }: EvidenceCall): boolean => tool === "wait";

/** Whether it is a call, not what was found. */
export const isCall = <T>(step: EvidenceCall | readonly T[]): step is EvidenceCall => "tool" in step;
