import type { Fault, Noise } from "@microremed/catalogue";
import type { Placed } from "./find-entries.ts";
import { inWords } from "./in-words.ts";
import { settleWithin } from "./settle-within.ts";
import type { Wrong } from "./wrong.types.ts";

/** Time that parameters may take, ms: they are code, whose promises may never settle. */
const deadlineMs = 5_000;

/**
 * Whether the parameters of a fault or a noise can all be left out, and are read without a promise: an injection waits for
 * none. Those of a fault's strengths must be such as its schema takes.
 */
export async function checkParameters({ entry, file }: Placed<Fault | Noise>): Promise<Wrong[]> {
  const problem = (field: string, expected: string): Wrong => ({ place: file, field, expected });
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
    return wrongSets(entry).map(([field, words]) => problem(field, words));
  } catch {
    return [problem("parameters", "a schema that is read without promises")];
  }
}

/** Strengths of a fault whose parameters its schema does not take. */
function wrongSets(entry: Fault | Noise): [field: string, expected: string][] {
  if (entry.entry !== "fault") return [];
  const { parameters, strengths = [] } = entry;
  const known = Object.keys(parameters.shape);
  return strengths.flatMap(({ parameters: values }, i): [string, string][] => {
    const field = `strengths.${i}.parameters`;
    const unknown = Object.keys(values).find((name) => !known.includes(name));
    if (unknown !== undefined)
      return [[field, `parameters of the fault (${known.join(", ")}), not "${unknown}"`]];
    const read = parameters.safeParse(values);
    return read.success
      ? []
      : [[field, `values that its schema takes: ${read.error.issues[0]?.message ?? ""}`]];
  });
}
