import { maxPlaybookLength } from "@microremed/contracts";
import {
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  load,
  mapTag,
  seqTag,
  YAML11_SCHEMA,
  YAMLException,
} from "js-yaml";

/** A play as far as it is read here; everything else in it is Ansible's business. */
type Play = Readonly<Record<string, unknown>>;

/** A playbook's plays with the text they were read from, or why it is none, for the author of the playbook. */
export type ParsedPlaybook =
  | { readonly ok: true; readonly text: string; readonly plays: readonly Play[] }
  | { readonly ok: false; readonly reason: string };

/** Real playbooks use few; unbounded, a few lines of YAML can expand to gigabytes. */
const MAX_ALIASES = 100;
const MAX_DEPTH = 64;

const unsafe = "!unsafe";
/** Ansible reads YAML 1.1 and knows two tags of its own. */
const ansibleSchema = YAML11_SCHEMA.withTags(
  ["!vault", "!vault-encrypted", unsafe].map((tag) =>
    defineScalarTag(tag, { resolve: (source) => source, identify: () => false }),
  ),
  defineSequenceTag(unsafe, { ...seqTag, identify: () => false }),
  defineMappingTag(unsafe, { ...mapTag, identify: () => false }),
);

/**
 * Decides whether a text is a playbook at all, without running anything: a list of plays, each with `hosts` (or an
 * `import_playbook`). The reason of a refusal is written for the text's author.
 * Markdown fences around the whole text are taken off; `text` is what is left.
 */
export function parsePlaybook(source: string): ParsedPlaybook {
  const text = withoutFence(source);
  if (text.trim() === "") return refuse("it is empty; a list of plays was expected");
  if (text.length > maxPlaybookLength) {
    return refuse(`it has ${text.length} characters; at most ${maxPlaybookLength} are accepted`);
  }
  const document = parseYaml(text);
  if (!document.ok) return document;
  return checkPlays(text, document.value);
}

function parseYaml(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string } {
  try {
    const options = { schema: ansibleSchema, json: true, maxAliases: MAX_ALIASES, maxDepth: MAX_DEPTH };
    return { ok: true, value: load(text, options) };
  } catch (error) {
    const message = error instanceof YAMLException ? error.toString() : String(error);
    return refuse(`it is not YAML: ${message.replace(/^YAMLException: /, "")}`);
  }
}

function checkPlays(text: string, value: unknown): ParsedPlaybook {
  if (!Array.isArray(value)) {
    return refuse(`a list of plays was expected at the top level, found ${describe(value)}`);
  }
  if (value.length === 0) return refuse("the list of plays is empty");
  const plays: Play[] = [];
  for (const [index, play] of value.entries()) {
    if (!isMapping(play)) return refuse(`play ${index + 1} is ${describe(play)}; a mapping was expected`);
    if (!("hosts" in play) && !importsPlaybook(play)) {
      const keys = Object.keys(play).slice(0, 8).join(", ");
      return refuse(`play ${index + 1} has no "hosts" (it has: ${keys || "nothing"})`);
    }
    plays.push(play);
  }
  return { ok: true, text, plays };
}

/** Takes the first fenced block when the text begins with a fence; models add them against instructions. */
function withoutFence(source: string): string {
  const fenced = /^\s*```[\w-]*[ \t]*\r?\n([\s\S]*?)(?:\r?\n[ \t]*```|$)/.exec(source);
  return fenced?.[1] ?? source;
}

function importsPlaybook(play: Play): boolean {
  return "import_playbook" in play || "ansible.builtin.import_playbook" in play;
}

function isMapping(value: unknown): value is Play {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a mapping" : `a ${typeof value}`;
}

function refuse(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}
