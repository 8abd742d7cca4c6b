import { readFile } from "node:fs/promises";
import { wrongLines } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { z } from "zod";
import type { CaseResult } from "./case.types.ts";

const Results = z.array(
  z.object({
    area: z.string(),
    name: z.string(),
    outcome: z.enum(["passed", "failed", "skipped"]),
    reason: z.string().optional(),
    ms: z.number(),
    attempt: z.number().optional(),
  }),
);

/** Reads what `--output json` wrote. Throws `invalid-config` with the file and the wrong place. */
export async function readResults(file: string): Promise<readonly CaseResult[]> {
  const wrong = (why: string) =>
    terminal("invalid-config", `${file} is not what \`conformance --output json\` writes: ${why}`);
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw wrong(error.message);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
  const parsed = Results.safeParse(value);
  if (!parsed.success) throw wrong(wrongLines(parsed.error));
  return parsed.data as readonly CaseResult[];
}
