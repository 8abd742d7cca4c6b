import { type Environment, type Fault, type ProblemFormat, targetText } from "@microremed/catalogue";
import { oneOf } from "@microremed/core";
import { inWords } from "../in-words.ts";

/** What problems refer to. */
export interface ProblemParts {
  readonly faults: ReadonlyMap<string, Fault>;
  readonly environments: ReadonlyMap<string, Environment>;
  readonly tasks: ReadonlySet<string>;
}

/** Something that a problem refers to and that is not there, or does not fit. */
export interface ProblemIssue {
  /** In the problem, e.g. `incident[0].target`. */
  readonly field: string;
  /** What was expected, to be read after "expected". */
  readonly expected: string;
  /** The same as a lack, a sentence without a full stop. */
  readonly lack: string;
}

/** Everything in a problem that this catalogue cannot provide. */
export function problemIssues(
  { environment: name, incident, tasks = [], information }: ProblemFormat,
  parts: ProblemParts,
): ProblemIssue[] {
  const environment = parts.environments.get(name);
  return [
    ...(environment ? [] : [unknown("environment", "environment", name, [...parts.environments.keys()])]),
    ...tasks
      .filter((task) => !parts.tasks.has(task))
      .map((task) => unknown("tasks", "task", task, [...parts.tasks])),
    ...incident.flatMap((one, i) => faultIssues(one, `incident[${i}]`, environment, parts)),
    ...(incident.length === 0 && information?.report === "symptoms"
      ? [
          issue(
            "information.report",
            '"none" or "oracle" where nothing is wrong: there are no symptoms',
            "a symptom",
          ),
        ]
      : []),
  ];
}

function faultIssues(
  { fault: name, target, parameters }: ProblemFormat["incident"][number],
  place: string,
  environment: Environment | undefined,
  { faults }: ProblemParts,
): ProblemIssue[] {
  const fault = faults.get(name);
  const known = [...faults.values()].flatMap((one) => (one.control ? [] : [one.name]));
  if (!fault) return [unknown(`${place}.fault`, "fault", name, known)];
  if (fault.control)
    return [issue(`${place}.fault`, `a fault, not "${name}": an incident without faults is []`, "a fault")];
  return [
    ...(environment ? targetIssues(fault, target, place, environment) : []),
    ...parameterIssues(fault, parameters ?? {}, place),
  ];
}

function targetIssues(fault: Fault, target: string, place: string, environment: Environment): ProblemIssue[] {
  const possible = fault.targets(environment).map(targetText);
  if (possible.includes(target)) return [];
  const why = environment.targets.includes(target) ? fault.ineligible?.(environment, target) : undefined;
  const reason = why === undefined ? "" : ` (${why})`;
  const expected = `a target that ${fault.name} can have in ${environment.name} (${oneOf(possible)}), not "${target}"${reason}`;
  return [
    issue(
      `${place}.target`,
      expected,
      `"${target}" is no target of ${fault.name} in ${environment.name}${reason}`,
    ),
  ];
}

/** The schema may be a user's own code. */
function parameterIssues(
  fault: Fault,
  given: Readonly<Record<string, unknown>>,
  place: string,
): ProblemIssue[] {
  const known = Object.keys(fault.parameters.shape);
  const at = (name: string, expected: string): ProblemIssue =>
    issue(
      `${place}.parameters${name === "" ? "" : `.${name}`}`,
      expected,
      `the parameter ${name} of ${fault.name}`,
    );
  const strange = Object.keys(given).filter((name) => !known.includes(name));
  const unknownOnes = strange.map((name) =>
    at(
      name,
      known.length === 0
        ? `nothing: ${fault.name} has no parameters`
        : `one of the parameters ${oneOf(known)}`,
    ),
  );
  try {
    const read = fault.parameters.safeParse(given);
    const wrong = read.success ? [] : read.error.issues.filter(({ code }) => code !== "unrecognized_keys");
    return [
      ...unknownOnes,
      ...wrong.map(({ path, message }) => at(path.join("."), `another value: ${message}`)),
    ];
  } catch (thrown) {
    return [...unknownOnes, at("", `values that the fault can read, not ${inWords(thrown)}`)];
  }
}

function unknown(field: string, noun: string, name: string, known: readonly string[]): ProblemIssue {
  const expected = `the name of ${noun === "environment" ? "an" : "a"} ${noun} that is loaded (${oneOf(known)}), not "${name}"`;
  return issue(field, expected, `the ${noun} ${name}`);
}

const issue = (field: string, expected: string, lack: string): ProblemIssue => ({ field, expected, lack });
