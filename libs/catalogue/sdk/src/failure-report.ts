import type { Measurement } from "@microremed/contracts";

/** What is known of an incident; every agent and model gets the same. */
export interface FailureReport {
  readonly environment: string;
  readonly namespace: string;
  /** Name of the failure category, e.g. `cpu-stress`; absent: not known. */
  readonly failure?: string;
  /** Name of the failed workload and service; absent: not known. */
  readonly target?: string;
  /** What was measured, in words; absent: not known. */
  readonly symptoms?: readonly string[];
}

const labels = {
  environment: "Environment",
  namespace: "Namespace",
  failure: "Failure category",
  target: "Failed service",
} as const;
type Line = keyof typeof labels;

const lines = Object.keys(labels) as Line[];
/** Most measurements that are listed: a service has few replicas. */
const maxSymptoms = 20;

/** The report as lines that `parseFailureReport` reads back, and the symptoms or what is not known below them. */
export function failureReport(report: FailureReport): string {
  const known = lines.flatMap((line) =>
    report[line] === undefined ? [] : [`${labels[line]}: ${report[line]}`],
  );
  return [...known, ...rest(report)].join("\n");
}

function rest({ failure, symptoms }: FailureReport): string[] {
  if (symptoms !== undefined) {
    const listed = symptoms.length > 0 ? symptoms : ["none: all measurements are as usual"];
    return ["Symptoms:", ...listed.map((symptom) => `- ${symptom}`)];
  }
  if (failure !== undefined) return [];
  return ["Nothing else is known: find out whether something has failed, and what."];
}

/** A measurement as an alert would put it. */
function symptomOf({ name, value, unit, threshold }: Measurement): string {
  const size = (number: number): string => `${Number(number.toPrecision(3))}${unit === "" ? "" : ` ${unit}`}`;
  const found = value === null ? "could not be measured" : size(value);
  return `${name}: ${found}${threshold === null ? "" : ` (compared with ${size(threshold)})`}`;
}

/** Measurements as alerts would put them, at most 20. */
export function symptomsOf(measurements: readonly Measurement[]): string[] {
  return measurements.slice(0, maxSymptoms).map(symptomOf);
}

/** The first report in a text, or undefined when it does not say where the system is. */
export function parseFailureReport(text: string): FailureReport | undefined {
  const lineOf = (line: Line): string | undefined =>
    new RegExp(`^${labels[line]}: (\\S+)$`, "m").exec(text)?.[1];
  const environment = lineOf("environment");
  const namespace = lineOf("namespace");
  if (!environment || !namespace) return undefined;
  const failure = lineOf("failure");
  const target = lineOf("target");
  return { environment, namespace, ...(failure && { failure }), ...(target && { target }) };
}
