import { stripTypeScriptTypes } from "node:module";
import { posix } from "node:path";
import { init, parse } from "es-module-lexer";
import type { ShippedPackage } from "./shipped-packages.ts";

await init;

/** One module of the published package. */
export interface Compiled {
  readonly code: string;
  /** Files of the repository that it imports, as paths from its root. */
  readonly files: readonly string[];
  /** What it imports from npm: package names. */
  readonly npm: readonly string[];
}

/** `x.ts` is published as `x.js`. */
export const publishedPath = (path: string): string => path.replace(/\.ts$/, ".js");

/**
 * A source file as it is published: without types, its imports naming JavaScript files of the package. Lines stay where
 * they were, so that a stack trace points into the source. Node strips no types below node_modules, nor does it know our
 * workspaces there.
 */
export function compile(file: string, source: string, packages: readonly ShippedPackage[]): Compiled {
  const stripped = file.endsWith(".ts") ? stripTypeScriptTypes(source) : source;
  const files: string[] = [];
  const npm: string[] = [];
  const rewrite = (specifier: string): string => {
    const target = targetOf(file, specifier, packages);
    if (target === undefined) {
      if (!specifier.startsWith("node:")) npm.push(packageOf(specifier));
      return specifier;
    }
    files.push(target);
    return relative(file, publishedPath(target));
  };
  const code = rewriteUrls(rewriteImports(stripped, rewrite), rewrite);
  const left = /^(?! *(?:\*|\/\/)).*\b(?:new URL|import)\([^)]*\.ts["'`].*$/m.exec(code);
  if (left) throw new Error(`${file}: cannot be published, for a .ts file is named in: ${left[0].trim()}`);
  return { code, files, npm };
}

/** Static imports, exports from, and dynamic imports of a constant. */
function rewriteImports(code: string, rewrite: (specifier: string) => string): string {
  const [imports] = parse(code);
  let result = "";
  let at = 0;
  for (const { n: specifier, s: start, e: end, d: dynamic } of imports) {
    if (specifier === undefined) continue;
    const quote = dynamic >= 0 ? '"' : "";
    result += `${code.slice(at, start)}${quote}${rewrite(specifier)}${quote}`;
    at = end;
  }
  return result + code.slice(at);
}

/** `new URL("./x.ts", import.meta.url)` and `import.meta.resolve("@microremed/x")`. */
function rewriteUrls(code: string, rewrite: (specifier: string) => string): string {
  return code
    .replace(/(new URL\(\s*)"([^"]+\.ts)"(,\s*import\.meta\.url\))/g, (_, before, path, after) => {
      return `${before}"${rewrite(path)}"${after}`;
    })
    .replace(/(new URL\(\s*`[^`]+)\.ts(`,\s*import\.meta\.url\))/g, "$1.js$2")
    .replace(/import\.meta\.resolve\("(@microremed\/[^"]+)"\)/g, (_, specifier) => {
      return `new URL("${rewrite(specifier)}", import.meta.url).href`;
    });
}

/** The file of the repository that a specifier names; undefined: it is not ours. */
export function targetOf(
  file: string,
  specifier: string,
  packages: readonly ShippedPackage[],
): string | undefined {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(file), specifier);
  if (!specifier.startsWith("@microremed/")) return undefined;
  const name = packageOf(specifier);
  const found = packages.find((one) => one.name === name);
  const exported = found?.exports[`.${specifier.slice(name.length)}`];
  if (found === undefined || exported === undefined)
    throw new Error(`${file}: imports ${specifier}, which no published package exports`);
  return posix.join(found.dir, exported);
}

/** `@a/b/c` -> `@a/b`, `a/b` -> `a`. */
function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function relative(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}
