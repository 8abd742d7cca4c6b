import {
  type Environment,
  type Fault,
  type Noise,
  type ProblemFormat,
  targetOf,
} from "@microremed/catalogue";
import { Watch, wrongValues } from "@microremed/contracts";
import { inWords } from "../in-words.ts";
import { notKnown } from "../known-names.ts";
import { faultTargetsIn, noiseTargetsIn } from "./targets-in.ts";
import { whyNoNoise } from "./why-no-noise.ts";

/** What problems refer to. */
export interface ProblemParts {
  readonly faults: ReadonlyMap<string, Fault>;
  readonly noises: ReadonlyMap<string, Noise>;
  readonly environments: ReadonlyMap<string, Environment>;
  readonly tasks: ReadonlySet<string>;
  /** Those of them that are watches. */
  readonly watches: ReadonlySet<string>;
  /** Those of them in which agents repair. */
  readonly repairs: ReadonlySet<string>;
  /** Names of entries that are there and cannot be loaded, of which it is said already. */
  readonly broken?: ReadonlySet<string>;
}

/** Something that a problem refers to and that is not there, or does not fit. */
export interface ProblemIssue {
  /** In the problem, e.g. `incident[0].target`. */
  readonly field: string;
  /** What was expected, to be read after "expected". */
  readonly expected: string;
  /** The same as a lack, a sentence without a full stop. */
  readonly lack: string;
  /** The name that nothing loaded has; absent: it is about something else. */
  readonly name?: string;
}

/** What `withinWindows` is if it is left out, however few windows there are. */
const usualWithin = Watch.parse({}).withinWindows;

/** Everything in a problem that this catalogue cannot provide. */
export function problemIssues(
  {
    environment: name,
    incident,
    tasks = [],
    information,
    noise = [],
    watch,
    limits,
    workload,
  }: ProblemFormat,
  parts: ProblemParts,
): ProblemIssue[] {
  const environment = parts.environments.get(name);
  return [
    ...(environment ? [] : [unknown("environment", "environment", name, [...parts.environments.keys()])]),
    ...tasks
      .filter((task) => !parts.tasks.has(task))
      .map((task) => unknown("tasks", "task", task, [...parts.tasks])),
    ...unknownLoad(workload?.load, environment),
    ...(incident.length < 2 ? [] : tasks)
      .filter((task) => parts.watches.has(task))
      .map((task) =>
        issue(
          "tasks",
          `another task than ${task}: in a watch one fault comes at most`,
          `a watch of several faults`,
        ),
      ),
    ...incident.flatMap((one, i) => faultIssues(one, `incident[${i}]`, environment, parts)),
    ...incident.flatMap((one, i) => flapIssues(one, `incident[${i}].flap`, environment, parts, information)),
    ...togetherIssues(incident, parts, information),
    ...noise.flatMap((one, i) => noiseIssues(one, `noise[${i}]`, incident, environment, parts)),
    ...(watch && watch.withinWindows > Math.max(watch.windows, usualWithin)
      ? [
          issue(
            "watch.withinWindows",
            `at most as many as there are \`windows\` (${watch.windows}), not ${watch.withinWindows}`,
            "a watch that fits its windows",
          ),
        ]
      : []),
    ...(tasks.some((task) => parts.watches.has(task)) ? shortWindows(watch, limits?.injectionSeconds) : []),
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

function unknownLoad(name: string | undefined, environment: Environment | undefined): ProblemIssue[] {
  const known = Object.keys(environment?.load.loads ?? {});
  if (name === undefined || !environment || known.includes(name)) return [];
  const expected =
    known.length === 0
      ? `nothing: ${environment.name} has no loads by a name`
      : `the name of a load of ${environment.name}, ${notKnown(name, known)}`;
  return [issue("workload.load", expected, `the load ${name} of ${environment.name}`)];
}

/** Share of a window that is left when its fault comes at the latest. */
const leftOfWindow = 2 / 3;

/** A fault that shows after the end of its window is a failed injection. */
function shortWindows(watch: ProblemFormat["watch"], seconds: number | undefined): ProblemIssue[] {
  const { windowSeconds } = watch ?? Watch.parse({});
  const least = Math.ceil((seconds ?? 0) / leftOfWindow);
  if (windowSeconds >= least) return [];
  const expected = `at least ${least}, not ${windowSeconds}: a fault comes in the first third, and may take ${seconds} s to show`;
  return [issue("watch.windowSeconds", expected, "a watch with windows in which faults can show")];
}

/** A noise where it may be: on a workload that it accepts, or beside the system. */
function noiseIssues(
  { noise: name, target, parameters }: NonNullable<ProblemFormat["noise"]>[number],
  place: string,
  incident: ProblemFormat["incident"],
  environment: Environment | undefined,
  { noises }: ProblemParts,
): ProblemIssue[] {
  const noise = noises.get(name);
  if (!noise) return [unknown(`${place}.noise`, "noise", name, [...noises.keys()])];
  const wrong = parameterIssues(noise, parameters ?? {}, place);
  if (!environment) return wrong;
  const possible = noise.targets ? freeTargets(noise, environment, incident) : [];
  const lack = `a target of the noise ${name} in ${environment.name}`;
  if (!noise.targets && target !== undefined)
    return [...wrong, issue(`${place}.target`, `nothing: ${name} is beside the system`, lack)];
  if (noise.targets && target === undefined && possible.length === 0)
    return [
      ...wrong,
      issue(
        `${place}.noise`,
        `a noise that can be in ${environment.name}, not "${name}": no workload there has what it is about (${noise.description.replace(/\.$/, "")}); take another noise, or another environment`,
        lack,
      ),
    ];
  if (target === undefined || noiseTargetsIn(noise, environment).includes(target)) return wrong;
  const why = whyNoNoise(noise, target, environment);
  const reason = why === undefined ? "" : ` (${why})`;
  const expected = `a workload that ${name} can be on in ${environment.name}, ${notKnown(target, noiseTargetsIn(noise, environment))}${reason}`;
  return [...wrong, issue(`${place}.target`, expected, `${lack}${reason}`)];
}

/** Workloads that a noise may be on and no fault of the incident is on, in the environment's order. */
export function freeTargets(
  noise: Pick<Noise, "targets">,
  environment: Environment,
  incident: readonly { readonly target: string }[],
): string[] {
  const failed = new Set(incident.map(({ target }) => targetOf(environment, target)?.name));
  return noiseTargetsIn(noise, environment).filter((one) => !failed.has(one));
}

/** What keeps several faults from being one incident. */
function togetherIssues(
  incident: ProblemFormat["incident"],
  { faults }: ProblemParts,
  information: ProblemFormat["information"],
): ProblemIssue[] {
  const issues = incident.flatMap(({ fault, target, at, after }, i): ProblemIssue[] => {
    const place = `incident[${i}]`;
    const before = incident[i - 1];
    const first = incident.findIndex((one) => one.fault === fault);
    const again = incident.slice(0, i).some((one) => one.fault === fault && one.target === target);
    const late =
      i === 0 ? at !== 0 : after === undefined && before?.after === undefined && at < (before?.at ?? 0);
    const time =
      i === 0 ? "0: times count from the first fault" : "no time before that of the fault before it";
    const twice = again
      ? `another target: "${fault}" is on ${target} already`
      : `another fault: "${fault}" is in the incident already, and can be on one target only`;
    return [
      ...(late ? [issue(`${place}.at`, time, "an order of its faults")] : []),
      ...(after !== undefined && after >= i
        ? [issue(`${place}.after`, "the number of a fault before it", "a fault before that begins first")]
        : []),
      ...(again || (first < i && faults.get(fault)?.canRepeat !== true)
        ? [issue(`${place}.fault`, twice, `${fault} twice`)]
        : []),
    ];
  });
  if (incident.length < 2 || information?.report !== "oracle") return issues;
  return [
    ...issues,
    issue(
      "information.report",
      '"symptoms" or "none": the other names one fault',
      "a report of several faults",
    ),
  ];
}

function faultIssues(
  { fault: name, target, parameters }: ProblemFormat["incident"][number],
  place: string,
  environment: Environment | undefined,
  { faults }: ProblemParts,
): ProblemIssue[] {
  const fault = faults.get(name);
  if (!fault) return [unknown(`${place}.fault`, "fault", name, faultNames(faults))];
  if (fault.control)
    return [issue(`${place}.fault`, `a fault, not "${name}": an incident without faults is []`, "a fault")];
  return [
    ...(environment ? targetIssues(fault, target, place, environment) : []),
    ...parameterIssues(fault, parameters ?? {}, place),
  ];
}

/** Names of the faults that an incident may have. */
export const faultNames = (faults: ProblemParts["faults"]): string[] =>
  [...faults.values()].flatMap((one) => (one.control ? [] : [one.name]));

/** What comes and goes stays with the pods that it hit, so that new ones end it: those of a StatefulSet have the old names. */
function flapIssues(
  { fault: name, target, flap }: ProblemFormat["incident"][number],
  place: string,
  environment: Environment | undefined,
  { faults }: ProblemParts,
  information: ProblemFormat["information"],
): ProblemIssue[] {
  const fault = faults.get(name);
  if (!flap || !fault) return [];
  const workload = environment && targetOf(environment, target)?.workload;
  const able = [...faults.values()].flatMap((one) => (one.canFlap ? [one.name] : []));
  return [
    ...(fault.canFlap
      ? []
      : [
          issue(
            place,
            `nothing: ${name} only stays; ${able.join(", ")} come and go`,
            `${name} that comes and goes`,
          ),
        ]),
    ...(workload && workload.kind !== "Deployment"
      ? [issue(place, `nothing on a ${workload.kind}`, `${name} that comes and goes on a ${workload.kind}`)]
      : []),
    ...(information?.concealment === "none"
      ? [issue("information.concealment", '"neutral" where a fault comes and goes', "a concealed cause")]
      : []),
  ];
}

function targetIssues(fault: Fault, target: string, place: string, environment: Environment): ProblemIssue[] {
  const possible = faultTargetsIn(fault, environment);
  if (possible.includes(target)) return [];
  const why = environment.targets.includes(target) ? fault.ineligible?.(environment, target) : undefined;
  const reason = why === undefined ? "" : ` (${why})`;
  const expected = `a target that ${fault.name} can have in ${environment.name}, ${notKnown(target, possible)}${reason}`;
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
  fault: Pick<Fault, "name" | "parameters">,
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
        : `a parameter of ${fault.name}, ${notKnown(name, known)}`,
    ),
  );
  try {
    const read = fault.parameters.safeParse(given);
    const wrong = read.success
      ? []
      : wrongValues(read.error, given, fault.parameters).filter(({ field }) => !strange.includes(field));
    return [...unknownOnes, ...wrong.map(({ field, expected }) => at(field, expected))];
  } catch (thrown) {
    return [...unknownOnes, at("", `values that the fault can read, not ${inWords(thrown)}`)];
  }
}

/** A name that nothing loaded has. `noun`: of what. */
export function unknown(field: string, noun: string, name: string, known: readonly string[]): ProblemIssue {
  const article = noun === "environment" ? "an" : "a";
  const expected = `the name of ${article} ${noun} that is loaded, ${notKnown(name, known)}`;
  return { ...issue(field, expected, `the ${noun} ${name}`), name };
}

const issue = (field: string, expected: string, lack: string): ProblemIssue => ({ field, expected, lack });
