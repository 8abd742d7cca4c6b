import { z } from "zod";

/** The remediator that runs beside a scheduler in its process. */
const Beside = z.strictObject({
  /** What is not as the scheduler has it, or as the process was given it. */
  variables: z.record(z.string(), z.string()),
  logFile: z.string(),
});

export type Beside = z.infer<typeof Beside>;

/** Not a variable of any service: it is between this package and the process that it starts. */
const name = "MICROREMED_BESIDE_SCHEDULER";

/** As the environment variable of the process. Secrets pass there, never as arguments. */
export const writeBeside = (beside: Beside): Readonly<Record<string, string>> => ({
  [name]: JSON.stringify(beside),
});

/** Throws where the process was not started by `startScheduling`. */
export const readBeside = (variables: NodeJS.ProcessEnv): Beside =>
  Beside.parse(JSON.parse(variables[name] ?? "null"));
