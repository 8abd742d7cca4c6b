import { dirname, join, normalize } from "node:path";
import GithubSlugger from "github-slugger";
import { type Token, type Tokens, walkTokens } from "marked";
import type { Page } from "./pages.ts";

/** A link that leads nowhere, as one line: page, link, reason. */
export type DeadLink = string;

/**
 * Every relative link of the pages that leads to no file, or to no heading of a page, as GitHub and the site make
 * anchors. `files` are the repository's files, by path from its root. A link must name a file: the site lists no folders.
 */
export function deadLinks(pages: readonly Page[], files: readonly string[]): readonly DeadLink[] {
  const known = new Set(files);
  const anchors = new Map(pages.map((page) => [page.path, anchorsOf(page)]));
  return pages.flatMap((page) =>
    linksOf(page).flatMap((link) => {
      const reason = whyDead(page.path, link, known, anchors);
      return reason === undefined ? [] : [`${page.path}: ${link}: ${reason}`];
    }),
  );
}

/** Words of Kubernetes that have the form of a path. */
const notOurs = new Set(["services/proxy"]);

/** Every path of the repository that a page names in code and that does not exist. History keeps its paths. */
export function missingPaths(pages: readonly Page[], files: readonly string[]): readonly DeadLink[] {
  const exists = (path: string): boolean =>
    files.some((file) => file === path || file.startsWith(path.endsWith("/") ? path : `${path}/`));
  return pages
    .filter(({ path }) => !/(^|\/)CHANGELOG\.md$|^docs\/adr\//.test(path))
    .flatMap((page) =>
      all(page.tokens).flatMap((token) => {
        const text = token.type === "codespan" ? (token as Tokens.Codespan).text : "";
        const isPath = /^(libs|docs|scripts|services|k8s)\/[\w./@-]+$/.test(text);
        return isPath && !notOurs.has(text) && !exists(text) ? [`${page.path}: ${text}: no such path`] : [];
      }),
    );
}

function whyDead(
  from: string,
  link: string,
  files: ReadonlySet<string>,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
): string | undefined {
  if (isAddress(link)) return undefined;
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? from : targetOf(from, path);
  if (!files.has(target)) {
    const isFolder = [...files].some((file) => file.startsWith(`${target.replace(/\/$/, "")}/`));
    return isFolder ? "a folder: link to a file in it" : "no such file";
  }
  if (anchor === undefined) return undefined;
  return anchors.get(target)?.has(anchor) ? undefined : "no such heading";
}

/** Files that pages link to and that are no pages, by path from the root. */
export function linkedFiles(pages: readonly Page[]): readonly string[] {
  const files = pages.flatMap((page) =>
    linksOf(page).flatMap((link) => {
      const [path = ""] = link.split("#");
      const isOurs = path !== "" && !path.endsWith(".md") && !isAddress(path);
      return isOurs ? [targetOf(page.path, path)] : [];
    }),
  );
  return [...new Set(files)];
}

const isAddress = (link: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(link);
const targetOf = (from: string, path: string): string =>
  normalize(join(dirname(from), decodeURIComponent(path)));

function linksOf({ tokens }: Page): string[] {
  return all(tokens).flatMap((token) =>
    token.type === "link" || token.type === "image" ? [(token as Tokens.Link | Tokens.Image).href] : [],
  );
}

function anchorsOf({ tokens }: Page): ReadonlySet<string> {
  const slugger = new GithubSlugger();
  return new Set(
    all(tokens).flatMap((token) =>
      token.type === "heading" ? [slugger.slug(textOf((token as Tokens.Heading).tokens))] : [],
    ),
  );
}

/** The text of a heading as a reader sees it: no marks, no link targets. */
function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      "tokens" in token && token.tokens ? textOf(token.tokens) : "text" in token ? token.text : "",
    )
    .join("");
}

/** The tokens with those inside them. */
function all(tokens: readonly Token[]): Token[] {
  const found: Token[] = [];
  walkTokens([...tokens], (token) => void found.push(token));
  return found;
}
