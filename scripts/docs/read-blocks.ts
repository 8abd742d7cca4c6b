import type { Token, Tokens } from "marked";
import type { Page } from "./pages.ts";

/** How a block of commands is tried, as the comment before it says. */
export type Trial =
  /** In `npm test`: a few seconds, nothing but Node and the usual programs, a range in one process. */
  | { readonly kind: "quick" }
  /** In `npm run test:acceptance`. */
  | { readonly kind: "acceptance" }
  /** Never, and why. */
  | { readonly kind: "not"; readonly reason: string };

/** A fenced block of `sh` in a page. */
export interface Block {
  readonly page: string;
  readonly commands: string;
  /** Undefined: nothing says how it is tried. */
  readonly trial: Trial | undefined;
}

/**
 * The blocks of shell commands of a page in order. The comment before a block says how it is tried:
 * `<!-- runs: quick -->`, `<!-- runs: acceptance -->`, both with a note after a semicolon, or
 * `<!-- does not run: <reason> -->`.
 */
export function blocksOf({ path, tokens }: Page): readonly Block[] {
  const blocks: Block[] = [];
  const read = (siblings: readonly Token[]): void => {
    let comment = "";
    for (const token of siblings) {
      if (token.type === "code" && (token as Tokens.Code).lang === "sh")
        blocks.push({ page: path, commands: (token as Tokens.Code).text, trial: trialOf(comment) });
      if (token.type === "list") for (const item of (token as Tokens.List).items) read(item.tokens);
      if (token.type !== "space") comment = token.type === "html" ? token.raw : "";
    }
  };
  read(tokens);
  return blocks;
}

function trialOf(comment: string): Trial | undefined {
  const runs = /^<!-- runs: (quick|acceptance)(; [^>]+)? -->\s*$/.exec(comment)?.[1];
  if (runs === "quick" || runs === "acceptance") return { kind: runs };
  const reason = /^<!-- does not run: ([^>]{10,}) -->\s*$/.exec(comment)?.[1];
  return reason === undefined ? undefined : { kind: "not", reason };
}

/** Blocks that are indented instead of fenced: no test would see their commands. */
export function indentedBlocksOf({ path, tokens }: Page): readonly string[] {
  return tokens.flatMap((token) =>
    token.type === "code" && (token as Tokens.Code).codeBlockStyle === "indented"
      ? [`${path}: ${token.raw}`]
      : [],
  );
}
