import { ClustersFile, wrongValues } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { load } from "js-yaml";

/** Throws `invalid-config` that names the file and what is wrong in it. */
export function parseClustersFile(file: string, text: string): ClustersFile {
  let content: unknown;
  try {
    content = load(text);
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw terminal("invalid-config", `clusters file ${file}: ${why}`);
  }
  const parsed = ClustersFile.safeParse(content);
  if (!parsed.success) {
    const wrong = wrongValues(parsed.error, content, ClustersFile).map(
      ({ field, expected }) => `\n  ${field || "the file"}: expected ${expected}`,
    );
    throw terminal("invalid-config", `clusters file ${file}:${wrong.join("")}`);
  }
  const names = parsed.data.clusters.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice)
    throw terminal(
      "invalid-config",
      `clusters file ${file}: cluster ${twice} is listed twice; every name must be unique`,
    );
  return parsed.data;
}
