/** What is run in the sandbox to answer a question to the telemetry, and how its output is rendered. */
export interface Question {
  readonly argv: readonly [string, ...string[]];
  /** Default: as it is printed. */
  readonly render?: (printed: string) => string;
}
