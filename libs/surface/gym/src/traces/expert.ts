import {
  type EvidenceCall,
  type Fault,
  type Finding,
  findWorkload,
  restartWorkload,
  shellCall,
} from "@microremed/catalogue";
import type { Rng } from "@microremed/core";
import { calmAnswer, foundAnswer, type JsonSchema, knownOf } from "@microremed/reference-models";
import type { Action } from "../episode/action.ts";
import type { CaseRequest } from "../episode/case-request.ts";
import { createHands, type Hands } from "./hands.ts";
import { drawOverview, drawSlip } from "./overview.ts";
import { createWording, type Wording } from "./wording.ts";

/** What an expert knows of a kind of fault; nothing of an incident. */
export type Knowledge = Pick<Fault, "name" | "title" | "evidence" | "runbook">;

/** The case of an expert. */
export interface ExpertCase {
  /** Whose evidence it asks for last; null: nothing is wrong. All that it says and does comes from the answers. */
  readonly fault: Knowledge | null;
  /** What an answer must be; null: the system is to be repaired. */
  readonly answer: JsonSchema | null;
  /** What it may suspect before. */
  readonly others: readonly Knowledge[];
  readonly namespace: string;
  /** The workload that the report names; null: none. */
  readonly named: string | null;
  readonly acting: CaseRequest["acting"];
}

/** What came of an action. */
export interface Reply {
  readonly text: string;
  readonly done: boolean;
}

/** The way that an expert took: how often it did each of these. */
export interface Course {
  /** Hypotheses that it dropped. */
  readonly dropped: number;
  /** Calls that it got wrong, and mended. */
  readonly slips: number;
  /** Changes without a known cause. */
  readonly guesses: number;
  readonly repairs: number;
  /** It came to a conclusion: it saw the cause, or no sign of one where none was. */
  readonly found: boolean;
  /** A wrong hypothesis showed: its words would be wrong. */
  readonly misled: boolean;
}

/** What an expert does, one action after the other; what each is answered with. */
export type Steps<T> = Generator<Action, T, Reply>;

/** Rounds of asking for the cause: one that comes and goes may rest. */
const mostRounds = 4;
const mostRepairs = 2;

/** An expert in the middle of its work. */
interface Work {
  readonly given: ExpertCase;
  readonly hands: Hands;
  readonly say: Wording;
  readonly way: Rng;
  readonly course: { -readonly [K in keyof Course]: Course[K] };
}

/**
 * An investigation as an expert makes it: an overview, hypotheses of which some are wrong, slips, a repair, a check. It yields what it
 * does and gets what came of it; the stream decides its way and its words. It ends at most some 100 actions later.
 */
export function* expert(given: ExpertCase, rng: Rng): Steps<Course> {
  const say = createWording(rng.fork("words"));
  const way = rng.fork("way");
  const hands = createHands(given, say, way);
  const course = { dropped: 0, slips: 0, guesses: 0, repairs: 0, found: false, misled: false };
  const work: Work = { given, hands, say, way, course };
  yield* surveys(work);
  yield* suspects(work);
  if (given.fault === null) yield* leaves(work);
  else if (given.answer === null) yield* mends(work);
  else yield* answers(work, given.answer);
  return course;
}

/** Repairs what is wrong, and says that it is done. */
function* mends(work: Work): Steps<void> {
  const { given, hands, say, course } = work;
  yield* guesses(work);
  let finding = "";
  for (let attempt = 1; attempt <= mostRepairs && !hands.isDone; attempt++) {
    const found = yield* finds(work, attempt === 1 ? mostRounds : 1);
    if (found.length === 0 || hands.isDone) break;
    course.found = true;
    finding = inWords(found);
    yield* repairs(work, found, attempt);
    if (hands.isDone) break;
    if (given.acting === "playbook") hands.remark(say("failed"));
    else if (!(yield* checks(work))) break;
  }
  const { isDone } = hands;
  if (!isDone && given.acting === "commands")
    yield* hands.does({ tool: "submit", arguments: {} }, say("finish", { finding }));
}

/** Answers the question by what is found. */
function* answers(work: Work, answer: JsonSchema): Steps<void> {
  const { hands, say, course } = work;
  const found = yield* finds(work, mostRounds);
  if (found.length === 0 || hands.isDone) return;
  course.found = true;
  const known = { tool: "submit", arguments: foundAnswer(answer, found.map(knownOf)) };
  yield* hands.does(known, say("answer", { finding: inWords(found) }));
}

/** Finds no sign of anything, and changes nothing. */
function* leaves({ given: { answer }, hands, say, course }: Work): Steps<void> {
  course.found = true;
  const calm = { tool: "submit", arguments: answer === null ? {} : calmAnswer(answer) };
  yield* hands.does(calm, say("calm"));
}

/** An overview, perhaps with a call that is wrong first. */
function* surveys({ given, hands, say, way, course }: Work): Steps<void> {
  const { namespace } = given;
  for (let count = 1 + way.int(3); count > 0; count--) {
    const { call, what } = drawOverview(way, given);
    if (!hands.knows(call)) yield* hands.asks(call, say("overview", { what, namespace }));
  }
  if (way.int(4) > 0) return;
  const { wrong, right, what } = drawSlip(way, given);
  course.slips++;
  yield* hands.does(wrong, say("slip", { what }));
  yield* hands.asks(right, say("mend"));
}

/** Hypotheses that turn out to be wrong. */
function* suspects({ given: { others, fault }, hands, say, way, course }: Work): Steps<void> {
  // That nothing is wrong takes more than one hypothesis to say.
  const most = fault === null ? 2 + way.int(3) : way.int(3);
  for (let count = others.length === 0 ? 0 : most; count > 0; count--) {
    const other = way.pick(others);
    const { title } = other;
    const found = yield* hands.follows(other, say("suspect", { title }));
    if (found.length > 0) course.misled = true;
    course.dropped++;
    hands.remark(say("dismiss", { title }));
  }
}

/** A change without a known cause, perhaps taken back. */
function* guesses({ given, hands, say, way, course }: Work): Steps<void> {
  const { namespace, named: workload, acting } = given;
  if (workload === null || way.int(4) > 0) return;
  const where = { namespace, target: workload };
  course.guesses++;
  const commands = [findWorkload(where), ...restartWorkload(where)];
  yield* hands.changes(`Restart ${workload}`, commands, say("hasty", { workload }));
  if (hands.isDone) return;
  if (acting === "playbook") {
    hands.remark(say("failed"));
    return;
  }
  yield* hands.asks(podsOf(namespace), say("check"));
  hands.remark(say("unhelped"));
  if (way.int(2) === 0) yield* hands.does({ tool: "undo_last_action", arguments: {} }, say("undo"));
  hands.forgets();
}

/** Asks for the cause until it shows, or it has been asked often enough. */
function* finds({ given: { fault }, hands, say, way }: Work, rounds: number): Steps<readonly Finding[]> {
  if (fault === null) return [];
  let first = say("suspect", { title: fault.title });
  for (let round = 0; round < rounds && !hands.isDone; round++) {
    if (round > 0) {
      const seconds = way.pick([30, 40, 60]);
      yield* hands.does({ tool: "wait", arguments: { seconds } }, say("pause"));
      hands.forgets();
      first = say("deeper");
    }
    const found = yield* hands.follows(fault, first);
    if (found.length > 0) return found;
  }
  return [];
}

/** Carries out the runbook for all that was found. */
function* repairs(
  { given: { fault, namespace }, hands, say, way, course }: Work,
  found: readonly Finding[],
  attempt: number,
): Steps<void> {
  const runbook = fault?.runbook;
  if (!runbook) return;
  const acts = [];
  for (const finding of found) {
    const where = { namespace, target: finding.workload };
    const observations =
      way.int(3) > 0 ? [yield* hands.asks(shellCall(runbook.observe(where)), say("deeper"))] : [];
    acts.push(runbook.act({ ...where, attempt, finding, observations }));
  }
  course.repairs++;
  const title = acts.map((act) => act.title).join("; ");
  const words = { finding: inWords(found), act: lowered(title) };
  const commands = acts.flatMap((act) => act.commands);
  yield* hands.changes(title, commands, say(attempt === 1 ? "conclude" : "again", words));
}

/** Whether to ask for the cause once more. */
function* checks({ given: { namespace }, hands, say, way }: Work): Steps<boolean> {
  if (way.int(2) === 0) {
    const seconds = way.pick([15, 20, 30, 60]);
    yield* hands.does({ tool: "wait", arguments: { seconds } }, say("settle"));
  }
  yield* hands.asks(podsOf(namespace), say("check"));
  return way.int(2) > 0;
}

const podsOf = (namespace: string): EvidenceCall => shellCall(`kubectl -n ${namespace} get pods`);

/** A title within a sentence; names that begin with two capital letters stay. */
const lowered = (title: string): string =>
  /^[A-Z][a-z]/.test(title) ? title.slice(0, 1).toLowerCase() + title.slice(1) : title;

function inWords(found: readonly Finding[]): string {
  const one = ({ object: { kind, name }, field, wrong, right, seen, workload }: Finding): string => {
    if (seen === "effect" || (field === "" && wrong === "")) return `${workload} shows the trouble itself.`;
    const where = `${kind.toLowerCase()}/${name}`;
    if (field === "") return `${where} is wrong${wrong === "" ? "" : `: ${wrong}`}.`;
    return `${field} of ${where} is ${wrong === "" ? "empty" : wrong}${right === "" ? "" : `, and should be ${right}`}.`;
  };
  return [...new Set(found.map(one))].join(" ");
}
