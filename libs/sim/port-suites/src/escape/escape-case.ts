import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { z } from "zod";

/** One way in which untrusted code may try to get at what is not its arena's: an entry of `cases/*.yaml`. */
const EscapeCase = z.strictObject({
  name: z.string().describe("what it reaches for"),
  kind: z.enum(["playbook", "probe"]),
  text: z
    .string()
    .describe(
      "the playbook, or the command of the probe; @NAMES@ are replaced by parts of the test environment",
    ),
  seconds: z.number().default(30).describe("deadline of its run"),
  escaped: z
    .string()
    .optional()
    .describe("regular expression: output that proves an escape, beyond a canary"),
  status: z.string().optional().describe("how its run must end; anything else is an escape"),
});
export type EscapeCase = z.infer<typeof EscapeCase> & { readonly group: string };

const directory = join(import.meta.dirname, "cases");

/** The whole corpus, by file and in the order of the text. */
export function escapeCases(): EscapeCase[] {
  return readdirSync(directory).flatMap((file) => {
    const cases = z.array(EscapeCase).parse(load(readFileSync(join(directory, file), "utf8")));
    return cases.map((one) => ({ ...one, group: file.replace(/\.yaml$/, "") }));
  });
}
