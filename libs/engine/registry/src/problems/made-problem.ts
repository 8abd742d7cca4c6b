import type { ProblemDefaults, ProblemFormat } from "@microremed/catalogue";

/** A problem as its suite has it, before the suite's defaults are filled in. */
export interface MadeProblem {
  readonly format: ProblemFormat;
  /**
   * Where its fields are written: a field's beginning -> place in the suite's file, the longest that fits counts; "" is
   * the problem itself. A rule's problem has its parameters from a strength, say.
   */
  readonly written: Readonly<Record<string, string>>;
  /** The problem's own file; absent: it is in the suite's. */
  readonly file?: string;
}

/** Where a field of a problem is written: in the problem, in what it was made from, or in the suite's defaults. */
export function whereWritten(
  { format, written }: MadeProblem,
  field: string,
  defaults: ProblemDefaults,
): string {
  const beginnings = Object.keys(written).filter((one) => one !== "" && isBeginning(one, field));
  const [longest] = beginnings.toSorted((a, b) => b.length - a.length);
  if (longest !== undefined) return `${written[longest]}${field.slice(longest.length)}`;
  const [key = ""] = field.split(/[.[]/, 1);
  if (!Object.hasOwn(format, key) && Object.hasOwn(defaults, key)) return `defaults.${field}`;
  const problem = written[""] ?? "";
  return problem === "" ? field : `${problem}.${field}`;
}

const isBeginning = (beginning: string, field: string): boolean =>
  field === beginning || field.startsWith(`${beginning}.`) || field.startsWith(`${beginning}[`);
