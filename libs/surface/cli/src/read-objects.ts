import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { KubeObject } from "@microremed/cluster";
import { wrongLines } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { loadAll } from "js-yaml";
import { z } from "zod";

const ObjectShape = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});

/** The Kubernetes objects of a YAML text. Throws `invalid-config` that names the document that is none. */
function parseObjects(text: string, where: string): KubeObject[] {
  const documents = loadAll(text).filter((document) => document !== null && document !== undefined);
  return documents.map((document, index) => {
    const parsed = ObjectShape.safeParse(document);
    if (parsed.success) return parsed.data as KubeObject;
    throw terminal(
      "invalid-config",
      `${where}: document ${index + 1} is not a Kubernetes object: ${wrongLines(parsed.error)}`,
    );
  });
}

/** As `parseObjects`, of every YAML file of a directory, by name. */
export async function readObjects(directory: string): Promise<KubeObject[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(".yaml")).sort();
  return (await Promise.all(names.map((name) => readFileObjects(join(directory, name))))).flat();
}

async function readFileObjects(file: string): Promise<KubeObject[]> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw terminal("invalid-config", `cannot read ${file}: ${String(error)}`);
  });
  return parseObjects(text, file);
}
