import { type Evidence, type EvidenceCall, isCall } from "./evidence/evidence.ts";

/** What every fault of an account at a database server is called. */
export const accountLabels = {
  mechanism: "access-denied",
  systemLevel: "Application",
  faultType: "Authentication Issue",
} as const;

/** A server of which an account was checked. */
interface CheckedAccount<T> {
  readonly kind: string;
  readonly name: string;
  /** Undefined: it is as it should be. */
  readonly trouble?: T | undefined;
}

/** The check of every server that there is; the cause is in the server's own data. */
export const accountEvidence = <T>(
  check: (answers: readonly string[]) => EvidenceCall | readonly CheckedAccount<T>[],
  trouble: T,
): Evidence => ({
  next(answers) {
    const step = check(answers);
    if (isCall(step)) return step;
    return step
      .filter((one) => one.trouble === trouble)
      .map(({ kind, name }) => ({
        object: { kind, name },
        ...{ field: "", wrong: "", right: "", workload: name, seen: "cause" as const },
        ...accountLabels,
      }));
  },
});
