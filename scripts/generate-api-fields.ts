import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readModel } from "../libs/sim/kinds/src/schema/models.ts";

/** The version whose fields the models of `@kubernetes/client-node` have. */
const version = "v0.36.6";
const modules = ["api", "apimachinery", "apiextensions-apiserver", "kube-aggregator"].map(
  (name) => `k8s.io/${name}`,
);
const target = fileURLToPath(
  new URL("../libs/sim/kinds/src/schema/omitted-fields.generated.ts", import.meta.url),
);
const reader = fileURLToPath(new URL("api-fields/main.go", import.meta.url));

/** The fields that Go leaves out when they are zero, by the import path and name of their struct. */
function readStructs(): Readonly<Record<string, readonly string[]>> {
  const folders = modules.map((module) => {
    // Outside of a module, so that Go resolves nothing but what is named.
    const options = { encoding: "utf8", env: { ...process.env, GO111MODULE: "on" }, cwd: "/" } as const;
    const { Dir } = JSON.parse(
      execFileSync("go", ["mod", "download", "-json", `${module}@${version}`], options),
    );
    return `${module}=${Dir}`;
  });
  const limits = { encoding: "utf8", maxBuffer: 64 * 2 ** 20 } as const;
  return JSON.parse(execFileSync("go", ["run", reader, ...folders], limits));
}

/** The model of a Go struct: two groups' structs of one name have their group's name before it. */
function modelOf(struct: string): string | undefined {
  const [, group = "", version = "", name = ""] = /([a-z]+)\/(v\d+)\.(\w+)$/.exec(struct) ?? [];
  const plain = `V${version.slice(1)}${name}`;
  const full = `${group.charAt(0).toUpperCase()}${group.slice(1)}${plain}`;
  return [full, plain].find((model) => readModel(model, ".d.ts") !== undefined);
}

const table = new Map<string, string>();
for (const [struct, fields] of Object.entries(readStructs())) {
  const model = modelOf(struct);
  // Not served by any API server.
  if (model === undefined || fields.length === 0 || struct.includes("testapigroup")) continue;
  const text = fields.join(" ");
  if ((table.get(model) ?? text) !== text) throw new Error(`two structs are called ${model}: ${struct}`);
  table.set(model, text);
}
const lines = [...table]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([model, fields]) => `  ${model}: "${fields}",`);
writeFileSync(
  target,
  `// Made from the Go types of k8s.io/api ${version} by \`npm run api-fields:generate\`; do not edit.

/**
 * By model, the fields that Go does not write when they hold their zero: values, lists and maps with the tag
 * \`omitempty\` (Kubernetes, Apache-2.0).
 */
// biome-ignore format: one struct a line
export const omittedFields: Readonly<Record<string, string>> = {
${lines.join("\n")}
};
`,
);
