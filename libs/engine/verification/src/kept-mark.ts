import type { FaultContext } from "@microremed/catalogue";
import { terminal } from "@microremed/core";
import { type Mark, readMark, type Term, writeMark } from "@microremed/inventory";

/** The mark of an injection, as a verification reads it and writes to it. */
export interface KeptMark {
  readonly mark: Mark;
  /** Changes it, in the cluster first: the process that goes on after this one has died finds it. */
  change(next: Partial<Mark>): Promise<void>;
}

/** Throws `arena-lost` (terminal) where there is no mark of this failure under this lease. */
export async function keepMark(
  { cluster, namespace, target }: FaultContext,
  failure: string,
  fence: number | undefined,
): Promise<KeptMark> {
  const found = await readMark(cluster, namespace, { failure, target, fence });
  if (!found) {
    throw terminal(
      "arena-lost",
      `cluster ${cluster.name} does not know that ${failure} was injected into ${target} of namespace ${namespace}; was the cluster replaced?`,
    );
  }
  let kept = found;
  return {
    get mark() {
      return kept;
    },
    async change(next) {
      kept = { ...kept, ...next };
      await writeMark(cluster, namespace, kept);
    },
  };
}

/** When the fault of this number in the incident, from 0, was injected and ends by itself, and whether it is over. */
export function termOf({ mark }: KeptMark, number: number): Term {
  const term = number === 0 ? mark : mark.further[number - 1];
  if (term) return term;
  throw terminal("internal", `the mark of the injection knows no fault ${number} of the incident`);
}

/** What `change` takes to give the fault of this number another term. */
export function withTerm(kept: KeptMark, number: number, next: Partial<Term>): Partial<Mark> {
  if (number === 0) return next;
  const term = { ...termOf(kept, number), ...next };
  return { further: kept.mark.further.with(number - 1, term) };
}
