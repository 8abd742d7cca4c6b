/** What the diagnosis says; every method and model gets the same. */
export interface FailureReport {
  readonly environment: string;
  readonly namespace: string;
  /** Name of the failure category, e.g. `cpu-stress`. */
  readonly failure: string;
  /** Name of the failed workload and service. */
  readonly target: string;
}

const labels = {
  environment: "Environment",
  namespace: "Namespace",
  failure: "Failure category",
  target: "Failed service",
} as const satisfies Record<keyof FailureReport, string>;

/** The report as four fixed lines, which `parseFailureReport` reads back. */
export function failureReport(report: FailureReport): string {
  return [
    `${labels.environment}: ${report.environment}`,
    `${labels.namespace}: ${report.namespace}`,
    `${labels.failure}: ${report.failure}`,
    `${labels.target}: ${report.target}`,
  ].join("\n");
}

/** The first report in a text, or undefined when one of its lines is missing. */
export function parseFailureReport(text: string): FailureReport | undefined {
  const lineOf = (label: string): string | undefined => new RegExp(`^${label}: (\\S+)$`, "m").exec(text)?.[1];
  const environment = lineOf(labels.environment);
  const namespace = lineOf(labels.namespace);
  const failure = lineOf(labels.failure);
  const target = lineOf(labels.target);
  if (!environment || !namespace || !failure || !target) return undefined;
  return { environment, namespace, failure, target };
}
