import { isJsonObject } from "@microremed/core";
import { boolYaml11Tag, CORE_SCHEMA, intCoreTag, loadAll, mergeTag, YAMLException } from "js-yaml";

/** A file's name, for messages, and what is in it. */
export interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** Why a text cannot be read. */
export interface YamlProblem {
  readonly problem: string;
}

/** Kubernetes' clients read YAML 1.1, where 0644 is octal and `yes` is true; without its dates and base-60 numbers. */
const yamlSchema = CORE_SCHEMA.withTags(mergeTag, boolYaml11Tag, {
  ...intCoreTag,
  resolve: (source, isExplicit, tagName) =>
    /^[-+]?0[0-7]+$/.test(source)
      ? Number.parseInt(source, 8)
      : intCoreTag.resolve(source, isExplicit, tagName),
});

/** A file may be this long, in characters. */
const maxLength = 4_000_000;
/** Nodes after all aliases are written out, so that nested aliases cannot blow up. */
const maxNodes = 400_000;

/**
 * The documents of a YAML file; anchors may be merged with `<<`. A JSON file is one document. Fields that are null are left out,
 * as the API server leaves them out. Of a key that is there twice the last value counts with `lastWins`, as for kubectl;
 * without it the key is a problem.
 */
export function loadYaml(
  { text }: TextFile,
  { lastWins = false }: { readonly lastWins?: boolean } = {},
): readonly unknown[] | YamlProblem {
  if (text.length > maxLength)
    return {
      problem: `the file has ${text.length} characters, at most ${maxLength} are read; leave out what is not needed`,
    };
  let documents: readonly unknown[];
  try {
    documents = loadAll(text, {
      schema: yamlSchema,
      json: lastWins,
      maxAliases: 5_000,
      maxTotalMergeKeys: 50_000,
    });
  } catch (error) {
    return { problem: whyBinary(text) ?? whyNoYaml(error) };
  }
  if (!fits(documents))
    return {
      problem: `the file holds more than ${maxNodes} values once its aliases are written out; use fewer or smaller aliases`,
    };
  return documents.map(withoutNulls);
}

/** What to do, by the parser's reason. */
const cures: readonly (readonly [RegExp, string])[] = [
  [/duplicated mapping key/, "leave one of the two out"],
  [/unidentified alias/, "write its anchor (&name) before it"],
  [/tab characters/, "indent with spaces"],
  [/complex keys/, "put braces in quotes, or render the template first (helm template)"],
];

function whyNoYaml(error: unknown): string {
  if (!(error instanceof YAMLException))
    return `not YAML: ${error instanceof Error ? error.message : String(error)}`;
  const { reason, mark } = error;
  const cure = cures.find(([pattern]) => pattern.test(reason))?.[1] ?? "correct it there";
  const place = mark ? ` (line ${mark.line + 1})` : "";
  return `not YAML: ${reason}${place}; ${cure}${mark?.snippet ? `\n\n${mark.snippet}` : ""}`;
}

/** What YAML calls printable, without the sign for bytes that are no UTF-8. */
const printable = /^[\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffc\u{10000}-\u{10ffff}]*$/u;

/** Says where a text is none, without quoting it: it could be anything, also what terminals take for commands. */
function whyBinary(text: string): string | undefined {
  const line = text.split("\n").findIndex((one) => !printable.test(one));
  return line < 0 ? undefined : `line ${line + 1} is no text in UTF-8; expected YAML or JSON`;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(kept.map(([key, field]) => [key, withoutNulls(field)]));
}

function fits(documents: unknown): boolean {
  const open = [documents];
  for (let nodes = 1; open.length > 0; ) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    const children = Object.values(value);
    nodes += children.length;
    if (nodes > maxNodes) return false;
    for (const child of children) open.push(child);
  }
  return true;
}
