import type { Fault, Noise } from "@microremed/catalogue";
import type { Placed, Problem } from "./find-entries.ts";
import { inWords } from "./in-words.ts";
import { settleWithin } from "./settle-within.ts";

/** Time that parameters may take, ms: they are code, whose promises may never settle. */
const deadlineMs = 5_000;

/** Whether the parameters of a fault or a noise can all be left out, and are read without a promise: an injection waits for none. */
export async function checkParameters({ entry, file }: Placed<Fault | Noise>): Promise<Problem[]> {
  const problem = (field: string, expected: string): Problem => ({ place: file, field, expected });
  const { parameters } = entry;
  try {
    // First with promises: one that is refused unread would end the process when it fails.
    const read = await settleWithin(parameters.safeParseAsync({}), deadlineMs);
    if (!read.success)
      return read.error.issues.map(({ path }) =>
        problem(`parameters.${path.join(".")}`, "a default: an incident may leave every parameter out"),
      );
  } catch (thrown) {
    return [problem("parameters", `a schema whose code does not throw, not ${inWords(thrown)}`)];
  }
  try {
    parameters.safeParse({});
    return [];
  } catch {
    return [problem("parameters", "a schema that is read without promises")];
  }
}
