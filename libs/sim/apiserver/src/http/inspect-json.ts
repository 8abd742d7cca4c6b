import { badRequest } from "@microremed/sim-objects";

const maxDepth = 200;
/** Go's decoder notes no more. */
const maxRepeated = 100;

interface Level {
  /** `spec.containers[0]`, empty at the top. */
  readonly path: string;
  /** Names seen so far; undefined in a list. */
  readonly names: Set<string> | undefined;
  index: number;
  /** The name of the value that comes next. */
  name: string;
  expectsName: boolean;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let backslashes = 0;
    while (text[at - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
}

function nameIn(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

function placeIn({ path, names, index, name }: Level): string {
  if (!names) return `${path}[${index}]`;
  return path === "" ? name : `${path}.${name}`;
}

/**
 * Paths of the fields that occur in their object more than once: JSON.parse keeps the last and says nothing. Throws 400
 * for what is nested too deeply; what else is wrong with the text the parser says.
 */
export function repeatedFields(text: string): string[] {
  const levels: Level[] = [];
  const repeated = new Set<string>();
  let level: Level | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (level?.expectsName && level.names) {
        level.name = nameIn(text.slice(at, end + 1));
        level.expectsName = false;
        const isRepeated = level.names.has(level.name) && repeated.size < maxRepeated;
        if (isRepeated) repeated.add(placeIn(level));
        level.names.add(level.name);
      }
      at = end;
    } else if (character === "{" || character === "[") {
      if (levels.length >= maxDepth) throw badRequest(`json: exceeded max depth of ${maxDepth}`);
      const isObject = character === "{";
      const path: string = level ? placeIn(level) : "";
      level = { path, names: isObject ? new Set() : undefined, index: 0, name: "", expectsName: isObject };
      levels.push(level);
    } else if (character === "}" || character === "]") {
      levels.pop();
      level = levels.at(-1);
    } else if (character === "," && level) {
      level.index += 1;
      level.expectsName = true;
    }
  }
  return [...repeated];
}
