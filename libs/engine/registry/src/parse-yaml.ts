import { CORE_SCHEMA, load, mergeTag, YAMLException } from "js-yaml";

const schema = CORE_SCHEMA.withTags(mergeTag);

/** Text that is no YAML. The message says what was expected, to be read after "expected". */
export class NotYaml extends Error {
  override readonly name = "NotYaml";
}

/** Reads YAML of a user's file: plain values, anchors that may be merged with `<<`. Throws `NotYaml`, with line and column. */
export function parseYaml(text: string): unknown {
  try {
    return load(text, { schema, maxAliases: 5_000, maxTotalMergeKeys: 50_000 });
  } catch (thrown) {
    if (!(thrown instanceof YAMLException)) throw thrown;
    const { line = 0, column = 0 } = thrown.mark ?? {};
    const place = thrown.mark ? ` in line ${line + 1}, column ${column + 1}` : "";
    const why = hasTab(text, line) ? "a tab in the indentation, where only spaces may be" : thrown.reason;
    throw new NotYaml(`YAML, not ${why}${place}`, { cause: thrown });
  }
}

/** Whether a tab is in the indentation of a line, counted from 0, or of the one before it. */
function hasTab(text: string, line: number): boolean {
  return text
    .split("\n")
    .slice(Math.max(0, line - 1), line + 1)
    .some((one) => /^ *\t/.test(one));
}
