import { terminal } from "@microremed/core";
import type { z } from "zod";
import { checkReferences } from "./check-references.ts";
import { Environment } from "./format.ts";
import { shapeProblems } from "./shape-problems.ts";

/** Declares an environment in code. Throws `invalid-environment` that names every wrong place. */
export function defineEnvironment(input: z.input<typeof Environment>): Environment {
  const parsed = Environment.safeParse(input);
  const problems = parsed.success ? checkReferences(parsed.data) : shapeProblems(parsed.error, "the entry");
  if (parsed.success && problems.length === 0) return parsed.data;
  throw terminal(
    "invalid-environment",
    `not an environment:\n${problems.map((one) => `  - ${one}`).join("\n")}`,
    { problems },
  );
}
