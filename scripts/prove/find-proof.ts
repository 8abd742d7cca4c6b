import { globSync } from "node:fs";
import { join } from "node:path";
import type { Catalogue } from "@microremed/registry";

/** One call of vitest. */
export interface Run {
  readonly files: readonly string[];
  /** Pattern of the names of the tests to run; absent: all of the files. */
  readonly tests?: string;
  /** File in which at least one test must have passed. */
  readonly mustRun: string;
}

/** Everything that can be proven: the entries, and the audit's remedies. */
export type Provable = Readonly<
  Record<Exclude<keyof Catalogue, "replaced"> | "remedies", { readonly names: readonly string[] }>
>;

interface Kind {
  readonly folder: keyof Provable;
  /** Files with tests of every entry of the kind, each named `<entry>: ...`; the first must have one. */
  readonly contract: readonly [string, ...string[]];
  /** An entry of this repository must have tests in its folder, or in the place named here, relative to the root. */
  readonly needsOwnTests?: Readonly<Record<string, string>>;
}

/** Which sections, rows and classes `docs/scoring.md` must have of an entry of this repository. */
const described = "scripts/entries-are-described.test.ts";
const usage = "libs/catalogue/oracles/src/usage.test.ts";

const kinds: Readonly<Record<string, Kind>> = {
  fault: { folder: "faults", contract: ["libs/ops/audit/src/fault-contract.test.ts"] },
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
  suite: { folder: "suites", contract: ["libs/ops/audit/src/suite-contract.test.ts"] },
  tool: {
    folder: "tools",
    contract: ["libs/engine/solving/src/tools.test.ts", "libs/ops/stack/src/in-process/tools.test.ts"],
  },
  agent: { folder: "agents", contract: ["libs/engine/solving/src/agents.test.ts"] },
  remedy: { folder: "remedies", contract: ["libs/ops/audit/src/remedy-contract.test.ts", described] },
  task: { folder: "tasks", contract: [described], needsOwnTests: {} },
};

/** The tests of an entry: those in its folder, and its kind's contract. Throws for names that mean nothing. */
export function findProof(kind: string, name: string, catalogue: Provable, root: string): Run[] {
  const known = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (!known)
    throw new Error(
      `usage: npm run prove -- <kind> <name>; there is no kind ${JSON.stringify(kind)}, known: ${Object.keys(kinds).join(", ")}`,
    );
  const { names } = catalogue[known.folder];
  const entry = names.find((one) => one === name) ?? names.find((one) => plain(one) === plain(name));
  if (entry === undefined)
    throw new Error(`there is no ${kind} ${JSON.stringify(name)}; known: ${names.join(", ")}`);
  const own = ownTests(kind, known, entry, root);
  const [first, ...others] = known.contract;
  return [
    ...(own === undefined ? [] : [{ files: [own], mustRun: own }]),
    { files: [first, ...others], tests: `^${entry.replace(/[^\w@-]/g, "\\$&")}: `, mustRun: first },
  ];
}

/** Where the entry's own tests are; undefined: it has none and needs none. Throws if it needs some. */
function ownTests(
  kind: string,
  { folder, needsOwnTests, contract }: Kind,
  entry: string,
  root: string,
): string | undefined {
  const parent = join("libs/catalogue", folder);
  const found = globSync("*/", { cwd: join(root, parent) }).find((one) => plain(one) === plain(entry));
  if (found === undefined && contract[0] === described)
    throw new Error(
      `${kind} ${entry} is not in ${parent}: only its own tests prove a ${kind}, and here those of this repository alone are run; run yours with vitest in its folder`,
    );
  if (found === undefined) return undefined;
  const path = join(parent, found);
  if (globSync("**/*.test.ts", { cwd: join(root, path) }).length > 0) return `${path}/`;
  const elsewhere = needsOwnTests?.[entry];
  if (elsewhere === undefined && needsOwnTests !== undefined)
    throw new Error(`${kind} ${entry} has no test of its own: write ${join(path, `${entry}.test.ts`)}`);
  return elsewhere;
}

/** Tools write `_` and agents capitals where their folders have dashes or nothing. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9@]/g, "");
