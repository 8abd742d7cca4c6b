import { globSync, realpathSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Catalogue } from "@microremed/registry";

/** One call of vitest. */
export interface Run {
  readonly files: readonly string[];
  /** Pattern of the names of the tests to run; absent: all of the files. */
  readonly tests?: string;
  /** File in which at least one test must have passed. */
  readonly mustRun: string;
  /** Absolute path of an entry outside of this repository whose own tests these are. */
  readonly outside?: string;
}

/** Everything that can be proven: the entries, and the audit's remedies. */
export type Provable = Readonly<
  Record<
    Exclude<keyof Catalogue, "replaced" | "problems"> | "remedies",
    { readonly names: readonly string[] }
  >
>;

interface Kind {
  readonly folder: keyof Provable;
  /** Files with tests of every entry of the kind, each named `<entry>: ...`; the first must have one. */
  readonly contract: readonly [string, ...string[]];
  /**
   * An entry of this repository must have tests in its folder, or in the place named here, relative to the root. An entry
   * of a user must have some only if nothing else proves it.
   */
  readonly needsOwnTests?: Readonly<Record<string, string>>;
}

/** Which sections, rows and classes `docs/scoring.md` must have of an entry of this repository. */
const described = "scripts/entries-are-described.test.ts";
const usage = "libs/catalogue/oracles/src/usage.test.ts";

const kinds: Readonly<Record<string, Kind>> = {
  fault: {
    folder: "faults",
    contract: [
      "libs/ops/audit/src/fault-contract.test.ts",
      "libs/ops/audit/src/fault-families.test.ts",
      "libs/ops/audit/src/twins/harmless-twins.test.ts",
      "libs/ops/audit/src/twins/lookalikes.test.ts",
      "libs/ops/stack/src/in-process/fault-evidence.test.ts",
      "libs/engine/arena/src/only-read.test.ts",
    ],
  },
  noise: { folder: "noises", contract: ["libs/ops/stack/src/in-process/noise-contract.test.ts"] },
  oracle: {
    folder: "oracles",
    contract: ["libs/ops/audit/src/oracle-contract.test.ts", described],
    needsOwnTests: { cpu: usage, memory: usage, declared: "libs/engine/inventory/src/" },
  },
  environment: {
    folder: "environments",
    contract: [
      "libs/ops/audit/src/environment-contract.test.ts",
      "libs/ops/audit/src/plan-audit.test.ts",
      "libs/ops/audit/src/environment-manifests.test.ts",
    ],
  },
  suite: {
    folder: "suites",
    contract: [
      "libs/ops/audit/src/suite-contract.test.ts",
      "libs/ops/audit/src/shown-changes.test.ts",
      "libs/ops/audit/src/twins/learned-rule.test.ts",
    ],
  },
  tool: {
    folder: "tools",
    contract: ["libs/engine/solving/src/tools.test.ts", "libs/ops/stack/src/in-process/tools.test.ts"],
  },
  agent: { folder: "agents", contract: ["libs/engine/solving/src/agents.test.ts"] },
  remedy: {
    folder: "remedies",
    contract: [
      "libs/ops/audit/src/remedy-contract.test.ts",
      "libs/surface/gym/src/reward/known-hacks.test.ts",
      described,
    ],
  },
  task: { folder: "tasks", contract: [described], needsOwnTests: {} },
};

/**
 * The tests of an entry: those in its folder, and its kind's contract. `dirs`: directories of users' own entries. Throws for
 * names that mean nothing.
 */
export function findProof(
  kind: string,
  name: string,
  catalogue: Provable,
  root: string,
  dirs: readonly string[] = [],
): Run[] {
  const known = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (!known)
    throw new Error(
      `usage: npm run prove -- <kind> <name>; there is no kind ${JSON.stringify(kind)}, known: ${Object.keys(kinds).join(", ")}`,
    );
  const { names } = catalogue[known.folder];
  const entry = names.find((one) => one === name) ?? names.find((one) => plain(one) === plain(name));
  if (entry === undefined)
    throw new Error(`there is no ${kind} ${JSON.stringify(name)}; known: ${names.join(", ")}`);
  const { folder, contract } = known;
  const place = [join(root, "libs/catalogue"), ...dirs]
    .map((dir, index) => ({ parent: join(dir, folder), isOurs: index === 0 }))
    .flatMap(({ parent, isOurs }) =>
      globSync("*/", { cwd: parent })
        .filter((one) => plain(one) === plain(entry))
        .map((one) => ({ path: resolve(parent, one), isOurs })),
    )[0];
  const own = place ? ownTests(`${kind} ${entry}`, known, entry, place) : [];
  // Whether this repository's docs describe an entry is asked of its own entries alone.
  const [first, ...others] =
    place?.isOurs === false ? contract.filter((file) => file !== described) : contract;
  if (first === undefined) return own;
  const tests = `^${entry.replace(/[^\w@-]/g, "\\$&")}: `;
  return [...own, { files: [first, ...others], tests, mustRun: first }];
}

/** The tests in an entry's folder, or where `needsOwnTests` has them. Throws if it needs some and has none. */
function ownTests(
  what: string,
  { folder, needsOwnTests, contract }: Kind,
  entry: string,
  { path, isOurs }: { readonly path: string; readonly isOurs: boolean },
): Run[] {
  const found = globSync("**/*.test.{ts,js}", { cwd: path }).length > 0;
  if (found && !isOurs) {
    const outside = realpathSync(path);
    return [{ files: [], mustRun: `${outside}/`, outside }];
  }
  const inRepository = found ? join("libs/catalogue", folder, basename(path), "/") : needsOwnTests?.[entry];
  if (inRepository !== undefined) return [{ files: [inRepository], mustRun: inRepository }];
  const isProvenByOthers = !isOurs && contract.some((file) => file !== described);
  if (needsOwnTests === undefined || isProvenByOthers) return [];
  throw new Error(`${what} has no test of its own: write ${join(path, `${entry}.test.ts`)}`);
}

/** Tools write `_` and agents capitals where their folders have dashes or nothing. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9@]/g, "");
