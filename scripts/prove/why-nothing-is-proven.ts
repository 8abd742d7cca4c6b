import { z } from "zod";

/** What is read of vitest's JSON report. */
const Report = z.object({
  testResults: z.array(
    z.object({ name: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
});

/** Why a report of tests without a failure proves nothing; undefined: a test of the file or folder ran and passed. */
export function whyNothingIsProven(report: unknown, mustRun: string): string | undefined {
  const passed = Report.parse(report)
    .testResults.filter(({ name }) => name.includes(mustRun))
    .flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === "passed"));
  return passed.length > 0 ? undefined : `no test of it ran in ${mustRun}`;
}
