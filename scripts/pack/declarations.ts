import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { targetOf } from "./compile.ts";
import type { ShippedPackage } from "./shipped-packages.ts";

/** The package that authors of entries import; its types, and those they are made of, are published. */
const authored = "@microremed/catalogue";
/** The tsconfig.json that the one of an author extends, in the folder of the published package. */
const authorsConfig = "catalogue.tsconfig.json";

const declarationOf = (file: string): string => file.replace(/\.ts$/, ".d.ts");

/**
 * Types for authors of catalogue entries: `file -> text` for every declaration file that `@microremed/catalogue` needs,
 * with the comments, and `authorsConfig`, by which tsc finds them. Throws with tsc's output when it can declare no types.
 */
export function declarations(root: string, packages: readonly ShippedPackage[]): Map<string, string> {
  const doors = doorsOf(packages);
  const made = emitDeclarations(root, sourcesOf(packages));
  try {
    const found = new Map([[authorsConfig, config(root, doors)]]);
    const open = [...doors.values()];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (found.has(declarationOf(file))) continue;
      const { text, files } = published(
        file,
        readFileSync(join(made, declarationOf(file)), "utf8"),
        packages,
      );
      found.set(declarationOf(file), text);
      open.push(...files);
    }
    return found;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** What an author may import -> the source file behind it, from the repository's root. */
function doorsOf(packages: readonly ShippedPackage[]): ReadonlyMap<string, string> {
  const sdk = packages.find(({ name }) => name === authored);
  if (sdk === undefined)
    throw new Error(`the published package has no ${authored}, whose types authors need`);
  return exportsOf(sdk);
}

/** As it is imported -> its file from the repository's root; tests' helpers are left out. */
function exportsOf({ name, dir, exports }: ShippedPackage): ReadonlyMap<string, string> {
  const own = Object.entries(exports).filter(([door]) => door !== "./testing");
  return new Map(own.map(([door, file]) => [`${name}${door.slice(1)}`, posix.join(dir, file)]));
}

/** The exports of the authors' package and of all packages that it depends on. */
function sourcesOf(packages: readonly ShippedPackage[]): ReadonlyMap<string, string> {
  const wanted = new Set([authored]);
  for (const name of wanted)
    for (const each of packages.filter((one) => one.name === name))
      for (const dependency of Object.keys(each.dependencies)) wanted.add(dependency);
  return new Map(packages.filter(({ name }) => wanted.has(name)).flatMap((each) => [...exportsOf(each)]));
}

/** Runs tsc; returns the folder with its files, which lie there as the sources do in the repository. */
function emitDeclarations(root: string, sources: ReadonlyMap<string, string>): string {
  const dir = mkdtempSync(join(tmpdir(), "microremed-types-"));
  const files = [...sources].map(([name, file]) => [name, join(root, file)] as const);
  const options = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    // The repository's own type check is a step of its own.
    noCheck: true,
    incremental: false,
    tsBuildInfoFile: null,
    rootDir: root,
    outDir: dir,
    typeRoots: [join(root, "node_modules/@types")],
    // Through node_modules they would be libraries, of which tsc writes no declarations.
    paths: Object.fromEntries(files.map(([name, file]) => [name, [file]])),
  };
  const project = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: options,
    include: [],
    files: files.map(([, file]) => file),
  };
  writeFileSync(join(dir, "tsconfig.json"), JSON.stringify(project));
  try {
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [tsc, "-p", dir], { encoding: "utf8", stdio: "pipe", timeout: 600_000 });
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    const { stdout = "" } = error as { stdout?: string };
    throw new Error(`tsc could not write the types of ${authored}: ${stdout}`, { cause: error });
  }
  return dir;
}

/** A declaration file with its imports as they are in the published package, and those of them that are ours. */
function published(file: string, text: string, packages: readonly ShippedPackage[]) {
  const files: string[] = [];
  const rewrite = (specifier: string): string => {
    const target = targetOf(file, specifier, packages);
    if (target === undefined) return specifier;
    files.push(target);
    const path = posix.relative(posix.dirname(file), target).replace(/\.ts$/, ".js");
    return path.startsWith(".") ? path : `./${path}`;
  };
  const lines = text.split("\n").map((line) =>
    // A comment may quote an import.
    /^\s*(?:\/?\*|\/\/)/.test(line)
      ? line
      : line.replace(/(\bfrom |\bimport\(|^import )"([^"]+)"/g, (_, before, specifier) => {
          return `${before}"${rewrite(specifier)}"`;
        }),
  );
  return { text: lines.join("\n"), files };
}

/** The repository's own options, so that an entry is checked alike in a repository and outside. */
function config(root: string, doors: ReadonlyMap<string, string>): string {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
  const { incremental: _, tsBuildInfoFile: __, ...options } = compilerOptions;
  const paths = [...doors].map(([name, file]) => [name, [`./${declarationOf(file)}`]]);
  const own = {
    ...options,
    // A folder of entries needs no package.json, without which `nodenext` would take its files for CommonJS.
    module: "preserve",
    moduleResolution: "bundler",
    paths: Object.fromEntries(paths),
  };
  return `${JSON.stringify({ compilerOptions: own }, null, 2)}\n`;
}
