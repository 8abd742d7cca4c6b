import { wrongLines } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { z } from "zod";

/**
 * Configuration from environment variables; an empty variable counts as not set.
 * Throws `invalid-config` that names every wrong variable, what is expected there and what it is for.
 */
export function parseConfig<S extends z.ZodRawShape>(
  shape: S,
  variables: Readonly<Record<string, string | undefined>>,
): z.output<z.ZodObject<S>> {
  const given = Object.fromEntries(
    Object.keys(shape).flatMap((name) => (variables[name] ? [[name, variables[name]]] : [])),
  );
  const parsed = z.object(shape).safeParse(given);
  if (parsed.success) return parsed.data;
  const wrong = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0] ?? "")))];
  const purposes = wrong.flatMap((name) => purposeOf(name, z.object(shape).shape[name]));
  throw terminal(
    "invalid-config",
    [`environment variables are wrong:`, wrongLines(parsed.error), ...purposes].join("\n"),
    { variables: wrong },
  );
}

function purposeOf(name: string, field: unknown): string[] {
  if (!(field instanceof z.ZodType)) return [];
  const { description, examples } = field.meta() ?? {};
  const example = Array.isArray(examples) ? `, e.g. ${name}=${String(examples[0])}` : "";
  return description === undefined ? [] : [`  ${name}: ${description}${example}`];
}
