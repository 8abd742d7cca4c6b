import type { Fault, Noise } from "@microremed/catalogue";
import type { Placed, Problem } from "./find-entries.ts";
import { inWords } from "./in-words.ts";
import { settleWithin } from "./settle-within.ts";

/** Time that parameters may take, ms: they are code, whose promises may never settle. */
const deadlineMs = 5_000;

/**
 * Whether the parameters of a fault or a noise can all be left out, and are read without a promise: an injection waits for
 * none. Those of a fault's strengths must be such as its schema takes.
 */
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
    return "strengths" in entry ? wrongStrengths(entry).map(([field, words]) => problem(field, words)) : [];
  } catch {
    return [problem("parameters", "a schema that is read without promises")];
  }
}

function wrongStrengths({ parameters, strengths = [] }: Fault): [field: string, expected: string][] {
  const known = Object.keys(parameters.shape);
  return strengths.flatMap((one, i): [string, string][] => {
    const field = `strengths.${i}.parameters`;
    const unknown = Object.keys(one.parameters).find((name) => !known.includes(name));
    if (unknown !== undefined)
      return [[field, `parameters of the fault (${known.join(", ")}), not "${unknown}"`]];
    const read = parameters.safeParse(one.parameters);
    return read.success
      ? []
      : [[field, `values that its schema takes: ${read.error.issues[0]?.message ?? ""}`]];
  });
}
