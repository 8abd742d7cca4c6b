import { walkTokens } from "marked";
import type { Page } from "./pages.ts";

/**
 * Text that a reader does not see because it is taken for HTML, such as `<name>` outside of code, one line each.
 * Comments are meant to be invisible.
 */
export function hiddenText(pages: readonly Page[]): readonly string[] {
  return pages.flatMap(({ path, tokens }) => {
    const found: string[] = [];
    walkTokens([...tokens], (token) => {
      if (token.type === "html" && !token.raw.trimStart().startsWith("<!--"))
        found.push(`${path}: ${token.raw}`);
    });
    return found;
  });
}
