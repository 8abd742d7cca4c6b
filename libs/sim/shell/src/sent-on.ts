import type { Language } from "@microremed/shell-text";
import { withMarks } from "./marks.ts";
import { withOwnOutput } from "./own-output.ts";

/** Where files are not to be written over, the shell checks them itself. */
const keepsFiles = /\bset\s+-\w*C|\bnoclobber\b/;

/**
 * A script whose commands write to `ownOutput`, and to files that are marked; the shell itself says what is wrong with one
 * that cannot be parsed.
 */
export function sentOn(script: string, { parse, serialize }: Language, shell: "sh" | "bash"): string {
  try {
    const parsed = parse(script);
    const sent = { ...parsed, statements: withOwnOutput(parsed.statements) };
    return serialize(keepsFiles.test(script) ? sent : withMarks(sent, shell));
  } catch {
    return script;
  }
}
