import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Compiled, compile, publishedPath } from "./compile.ts";
import { declarations } from "./declarations.ts";
import { npmDependencies, type ShippedPackage, shippedPackages } from "./shipped-packages.ts";

/** Modules that something starts or finds by its place; what they import follows. */
const started = [
  /^libs\/surface\/cli\/bin\/[^/]+\.mjs$/,
  /^libs\/ops\/stack\/src\/cluster-host\/host-main\.ts$/,
  /^libs\/surface\/cli\/src\/dataset\/worker\.ts$/,
  /^libs\/surface\/gym\/src\/server\/gym-worker\.ts$/,
  /^services\/[^/]+\/src\/main\.ts$/,
  /^libs\/catalogue\/[^/]+\/[^/]+\/index\.ts$/,
];
const isModule = (file: string): boolean => /\.(ts|mjs|js)$/.test(file);
/** Files beside modules that only tests and tools of the repository read. */
const leftOut =
  /(^|\/)(testing|testdata|golden|schemas)\/|(^|\/)(golden\.txt|README\.md|turbo\.json|package\.json)$/;

/**
 * Writes the command line, the services and the catalogue as JavaScript into `out`, in the repository's folders, with
 * the files that lie beside them, and the types of what authors of entries import. Throws when something is imported that the package would not have.
 */
export function buildPackage(root: string, out: string): void {
  rmSync(out, { recursive: true, force: true });
  const packages = shippedPackages(root);
  const listed = filesIn(root, [...packages.map(({ dir }) => dir), "k8s"]);
  for (const [file, { code }] of compileAll(root, listed, packages))
    write(join(out, publishedPath(file)), code);
  for (const [file, text] of declarations(root, packages)) write(join(out, file), text);
  for (const file of listed.filter((one) => !isModule(one) && !leftOut.test(one))) {
    mkdirSync(dirname(join(out, file)), { recursive: true });
    cpSync(join(root, file), join(out, file));
  }
  const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  write(join(out, "package.json"), `${JSON.stringify({ name, version, type: "module" }, null, 2)}\n`);
}

function compileAll(
  root: string,
  listed: readonly string[],
  packages: readonly ShippedPackage[],
): Map<string, Compiled> {
  const dependencies = npmDependencies(packages);
  const known = new Set(listed);
  const compiled = new Map<string, Compiled>();
  const open = listed.filter((file) => started.some((pattern) => pattern.test(file)));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (compiled.has(file)) continue;
    const module = compile(file, readFileSync(join(root, file), "utf8"), packages);
    const missing = [
      ...module.files.filter((path) => !known.has(path)),
      ...module.npm.filter((name) => dependencies[name] === undefined),
    ];
    if (missing.length > 0)
      throw new Error(`${file}: imports what the package would not have: ${missing.join(", ")}`);
    compiled.set(file, module);
    open.push(...module.files);
  }
  return compiled;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** What is in git or about to be: nothing that a test or a tool has left behind. */
function filesIn(root: string, dirs: readonly string[]): string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...dirs];
  const text = listedByGit(root, args);
  return text.split("\0").filter((file) => file !== "" && existsSync(join(root, file)));
}

function listedByGit(root: string, args: readonly string[]): string {
  try {
    return execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      stdio: "pipe",
    });
  } catch (cause) {
    throw new Error(
      `git could not list the files of ${root}: a package is made in a clone, with git installed. Without a clone, run "git init" there first`,
      { cause },
    );
  }
}
