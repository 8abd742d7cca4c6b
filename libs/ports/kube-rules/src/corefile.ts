/** A directive of a server block: a plugin's name, its arguments, and the lines of its block, each as words. */
export interface CorefileDirective {
  readonly name: string;
  readonly args: readonly string[];
  readonly block: readonly (readonly string[])[];
  /** Of the file, from 0: where it begins, and the first one after it. */
  readonly from: number;
  readonly to: number;
}

/** A server block of a Corefile: the zones that it serves, in lower case and without ports and final dots, and its directives. */
export interface ServerBlock {
  readonly zones: readonly string[];
  readonly directives: readonly CorefileDirective[];
  readonly from: number;
  readonly to: number;
}

/** Lines that are read of a Corefile; a ConfigMap holds 1 MiB. */
const mostLines = 20_000;

interface Line {
  readonly at: number;
  readonly words: readonly string[];
}

/**
 * Reads CoreDNS' configuration as Caddy's lexer does: words, quoted ones among them, comments, blocks in braces. Throws an Error
 * that names the line where a brace is missing or too many.
 */
export function parseCorefile(text: string): readonly ServerBlock[] {
  const lines = text
    .split("\n")
    .slice(0, mostLines)
    .map((line, at): Line => ({ at, words: wordsOf(line) }))
    .filter(({ words }) => words.length > 0);
  const blocks: ServerBlock[] = [];
  for (let next = 0; next < lines.length; ) {
    const read = blockAt(lines, next);
    blocks.push(read.block);
    next = read.next;
  }
  return blocks;
}

const wordsOf = (line: string): readonly string[] => {
  const words: string[] = [];
  for (const [word = ""] of line.matchAll(/"(?:[^"\\]|\\.)*"|\S+/g)) {
    if (word.startsWith("#")) break;
    words.push(word.startsWith('"') && word.length > 1 ? word.slice(1, -1).replaceAll('\\"', '"') : word);
  }
  return words;
};

const broken = ({ at }: Line, what: string): Error =>
  new Error(`/etc/coredns/Corefile:${at + 1} - Error during parsing: ${what}`);

function blockAt(
  lines: readonly Line[],
  first: number,
): { readonly block: ServerBlock; readonly next: number } {
  const head = lines[first] as Line;
  if (head.words.at(-1) !== "{")
    throw broken(head, "a server block is to be: zones, and '{' at the end of the line");
  const directives: CorefileDirective[] = [];
  for (let next = first + 1; next < lines.length; ) {
    const line = lines[next] as Line;
    if (line.words[0] === "}") {
      const zones = head.words
        .slice(0, -1)
        .flatMap((word) => word.split(","))
        .filter(Boolean)
        .map(zoneOf);
      return { block: { zones, directives, from: head.at, to: line.at + 1 }, next: next + 1 };
    }
    const read = directiveAt(lines, next);
    directives.push(read.directive);
    next = read.next;
  }
  throw broken(head, "Unexpected EOF: '}' is missing");
}

function directiveAt(
  lines: readonly Line[],
  first: number,
): { readonly directive: CorefileDirective; readonly next: number } {
  const { at, words } = lines[first] as Line;
  const [name = "", ...args] = words;
  if (args.at(-1) !== "{")
    return { directive: { name, args, block: [], from: at, to: at + 1 }, next: first + 1 };
  const block: (readonly string[])[] = [];
  for (let next = first + 1; next < lines.length; next += 1) {
    const line = lines[next] as Line;
    if (line.words[0] === "}")
      return {
        directive: { name, args: args.slice(0, -1), block, from: at, to: line.at + 1 },
        next: next + 1,
      };
    block.push(line.words);
  }
  throw broken(lines[first] as Line, "Unexpected EOF: '}' is missing");
}

/** `dns://shop.svc.cluster.local.:53` is the zone `shop.svc.cluster.local`; the root is the empty zone. */
const zoneOf = (word: string): string =>
  word
    .replace(/^[a-z]+:\/\//, "")
    .replace(/:\d+$/, "")
    .replace(/\.$/, "")
    .toLowerCase();

/** Whether a name is a zone's own or below it. */
export const isInZone = (name: string, zone: string): boolean =>
  zone === "" || name === zone || name.endsWith(`.${zone}`);

/** What a Corefile says of one namespace: a directive in a block that has others too, or a server block. */
export type NamingPart = { readonly directive: CorefileDirective } | { readonly block: ServerBlock };

/** The parts of a Corefile that name a namespace. None where it cannot be read. */
export function partsNaming(text: string, namespace: string): readonly NamingPart[] {
  const pattern = new RegExp(`(^|[^a-z0-9-])${namespace}\\.svc`, "i");
  const names = (words: readonly string[]): boolean =>
    words.some((word) => pattern.test(word.replaceAll("\\", "")));
  try {
    return parseCorefile(text).flatMap((block): readonly NamingPart[] =>
      names(block.zones)
        ? [{ block }]
        : block.directives
            .filter(({ args, block: inner }) => names(args) || inner.some(names))
            .map((directive) => ({ directive })),
    );
  } catch {
    return [];
  }
}

/**
 * A Corefile without what names a namespace: what others of the cluster have to go by. A Corefile that cannot be read stays as it is.
 */
export function corefileWithout(text: string, namespace: string): string {
  const gone = partsNaming(text, namespace).map((part) => ("block" in part ? part.block : part.directive));
  return text
    .split("\n")
    .filter((_, at) => !gone.some(({ from, to }) => from <= at && at < to))
    .join("\n");
}
