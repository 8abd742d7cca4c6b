import { AppError, terminal } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";
import { type CaseFiles, openCaseFiles } from "./case-files.ts";
import { inOrder } from "./in-order.ts";
import { leaksOf } from "./leaks.ts";
import { createSeenTexts } from "./near-duplicates.ts";
import { planTraces } from "./plan-traces.ts";
import type { CaseTraces, Trace, TraceCase, TraceLabels, TraceRecipe } from "./trace.types.ts";
import { traceCard } from "./trace-card.ts";
import { writeTraces } from "./write-traces.ts";

/** Where and with what a set of traces is made. */
export interface BuildOptions {
  /** How many traces are wanted. */
  readonly count: number;
  readonly directory: string;
  readonly catalogue: Catalogue;
  /** Cases that are made at once. They share nothing, so the traces do not depend on it. */
  readonly workers: number;
  /** Makes a case: `makeTraces`, in this process or in another. */
  readonly make: (planned: TraceCase) => Promise<CaseTraces>;
  readonly signal: AbortSignal;
  /** After each case. */
  readonly progress: (tally: Tally) => void;
}

/** What there is so far. */
export interface Tally {
  readonly cases: number;
  readonly kept: number;
  readonly nearDuplicates: number;
  /** Investigations that are no examples, by the reason. */
  readonly refused: Readonly<Record<string, number>>;
}

/** A trace that is kept: of which case, and what it is of. */
export interface KeptTrace {
  readonly index: number;
  readonly id: string;
  readonly labels: TraceLabels;
  readonly course: Trace["course"];
}

/** So many more cases than would do if every investigation were kept: then something is wrong. */
const mostCases = (count: number, perCase: number): number => 100 + 10 * Math.ceil(count / perCase);

/**
 * Makes traces, or goes on with an interrupted set: the first `count` that are recovered, clean and new. A larger set begins with a
 * smaller one. Only labels and signatures are in memory, about 1 KB a trace. Throws `invalid-request` for a folder that holds
 * something else, and where too few investigations are examples.
 */
export async function buildTraces(recipe: TraceRecipe, options: BuildOptions): Promise<Tally> {
  const { directory, catalogue, count } = options;
  const { disjoint, caseAt } = planTraces(recipe, catalogue);
  const files = await openCaseFiles(directory, recipe);
  const { kept, tally } = await collect(recipe, caseAt, files, options);
  const leaks = leaksOf(
    kept.map(({ labels }) => labels),
    disjoint,
  );
  if (leaks.length > 0) throw new AppError("internal", `the parts are not apart: ${leaks.join("; ")}`);
  await writeTraces(directory, kept, files);
  await traceCard(directory, { recipe, count, disjoint, kept, tally });
  return tally;
}

async function collect(
  { perCase }: TraceRecipe,
  caseAt: (index: number) => TraceCase,
  files: CaseFiles,
  { count, workers, make, signal, progress }: BuildOptions,
): Promise<{ readonly kept: readonly KeptTrace[]; readonly tally: Tally }> {
  const seen = createSeenTexts();
  const kept: KeptTrace[] = [];
  const refused: Record<string, number> = {};
  let [cases, nearDuplicates] = [0, 0];
  const tallyNow = (): Tally => ({ cases, kept: kept.length, nearDuplicates, refused });
  const made = async (index: number): Promise<CaseTraces> => {
    signal.throwIfAborted();
    const known = await files.read(index);
    if (known) return known;
    const one = await make(caseAt(index));
    await files.write(one);
    return one;
  };
  for await (const one of inOrder(made, workers)) {
    cases++;
    for (const [why, times] of Object.entries(one.refused)) refused[why] = (refused[why] ?? 0) + times;
    for (const trace of one.traces) {
      if (kept.length >= count) break;
      if (!seen.isNew(saidBy(trace))) nearDuplicates++;
      else kept.push({ index: one.index, id: trace.id, labels: one.labels, course: trace.course });
    }
    progress(tallyNow());
    if (kept.length >= count) return { kept, tally: tallyNow() };
    if (cases >= mostCases(count, perCase))
      throw terminal(
        "invalid-request",
        `${cases} cases gave ${kept.length} of ${count} traces (${reasons(tallyNow())}); ask for fewer, or for more systems or another suite`,
      );
  }
  throw new AppError("internal", "the cases came to an end");
}

/** Why investigations are no examples, in words. */
export const reasons = ({ refused, nearDuplicates }: Tally): string =>
  [...Object.entries(refused), ["near-duplicate", nearDuplicates] as const]
    .filter(([, times]) => times > 0)
    .map(([why, times]) => `${times} ${why}`)
    .join(", ") || "all are examples";

/** What a model learns to say: the expert's words and calls. */
const saidBy = ({ conversation }: Trace): string =>
  conversation
    .flatMap((message) =>
      message.role === "assistant"
        ? [message.content, ...message.toolCalls.map((call) => `${call.name} ${call.arguments}`)]
        : [],
    )
    .join("\n");
