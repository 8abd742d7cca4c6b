import { type EvidenceCall, type Finding, isCall } from "@microremed/catalogue";
import { joinCalls } from "./joined-calls.ts";
import { askAgain, isRefused, keyOf, type Library, type Situation } from "./policy.ts";

/** A fault of the library, and where it was found. */
export interface Diagnosed {
  readonly fault: Library[number];
  readonly finding: Finding;
}

/** Most calls for one fault: evidence that never ends is none. */
const mostCalls = 20;
/** Pauses before nothing is found: together with the rounds between them longer than a fault may rest. */
const mostPauses = 3;

/**
 * As `diagnose`, and where nothing is found, again after a pause, for a fault may come and go. Only those of Chaos Mesh do:
 * the others are asked once.
 */
export function diagnoseOften(
  situation: Pick<Situation, "report" | "tools" | "answers" | "pausesBefore">,
  library: Library,
): EvidenceCall | readonly Diagnosed[] {
  const { pausesBefore, answers, tools } = situation;
  const rests = library.filter(({ cause }) => cause !== undefined);
  const found = diagnose(situation, (pausesBefore ?? 0) > 0 ? rests : library);
  if (isCall(found) || found.length > 0) return found;
  const isOver = [...answers.values()].some(isRefused) || !tools.includes(askAgain.tool);
  return isOver || pausesBefore === null || pausesBefore >= mostPauses ? found : askAgain;
}

/**
 * What the evidence of all faults of the library shows, by the answers so far; or the next call to make. Calls of several
 * faults are shared, and made together where they can be. A fault whose evidence takes a tool or calls that are not to be had is
 * not found.
 */
export function diagnose(
  { report, tools, answers }: Pick<Situation, "report" | "tools" | "answers">,
  library: Library,
): EvidenceCall | readonly Diagnosed[] {
  const isOver = [...answers.values()].some(isRefused);
  const known = new Map<string, string>();
  const leftOut = new Map<string, number>();
  const steps = new Map(library.map((fault) => [fault, follow(fault, report, known)]));
  for (;;) {
    const next = joinCalls(callsIn(steps, { tools, known }), leftOut);
    const answer = next && answers.get(keyOf(next.call));
    if (next === undefined || answer === undefined || isRefused(answer)) {
      if (next && !isOver) return next.call;
      return explained(
        [...steps].flatMap(([fault, step]) => foundBy(step).map((finding) => ({ fault, finding }))),
      );
    }
    const read = next.answersIn(answer);
    for (const key of next.keys) {
      const one = read.get(key);
      if (one === undefined) leftOut.set(key, (leftOut.get(key) ?? 0) + 1);
      else known.set(key, one);
    }
    for (const [fault, step] of steps)
      if (step && isCall(step) && known.has(keyOf(step))) steps.set(fault, follow(fault, report, known));
  }
}

type Step = EvidenceCall | readonly Finding[] | undefined;

const foundBy = (step: Step): readonly Finding[] => (step && !isCall(step) ? step : []);

/** Each once, of tools that there are: what faults ask next, and what they will ask in any case. */
function callsIn(
  steps: ReadonlyMap<Library[number], Step>,
  { tools, known }: { readonly tools: Situation["tools"]; readonly known: Situation["answers"] },
): EvidenceCall[] {
  const calls = [...steps].flatMap(([{ evidence }, step]) =>
    step && isCall(step) ? [step, ...(evidence?.ahead ?? [])] : [],
  );
  const open = calls.filter((call) => tools.includes(call.tool) && !known.has(keyOf(call)));
  return [...new Map(open.map((call) => [keyOf(call), call])).values()];
}

/** The fault's next step by the answers that are known; undefined: it would ask for ever. */
function follow(
  { evidence }: Library[number],
  { namespace }: Situation["report"],
  answers: Situation["answers"],
): Step {
  const seen: string[] = [];
  while (evidence && seen.length <= mostCalls) {
    const step = evidence.next(seen, { namespace });
    if (!isCall(step)) return step;
    const answer = answers.get(keyOf(step));
    if (answer === undefined) return step;
    seen.push(answer);
  }
  return undefined;
}

/** Without effects on workloads on which a cause was seen, and what another cause writes; each object once for each fault. */
function explained(all: readonly Diagnosed[]): Diagnosed[] {
  const causes = new Set(
    all.flatMap(({ finding: { seen, workload } }) => (seen === "cause" ? [workload] : [])),
  );
  const written = all.flatMap(({ finding }) => finding.writes ?? []);
  const isWritten = ({ object: { kind, name }, field }: Finding): boolean =>
    written.some((one) => one.object.kind === kind && one.object.name === name && field.endsWith(one.field));
  const left = all.filter(
    ({ finding }) => (finding.seen === "cause" || !causes.has(finding.workload)) && !isWritten(finding),
  );
  const key = ({ fault, finding: { object, field } }: Diagnosed): string =>
    [fault.name, object.kind, object.name, field].join(" ");
  return [...new Map(left.map((one) => [key(one), one])).values()];
}
