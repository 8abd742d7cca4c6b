import { readFileSync } from "node:fs";

const models = new URL("./gen/models/", import.meta.resolve("@kubernetes/client-node"));

/** A file of one of the JavaScript client's models; undefined where there is none of that name. */
export function readModel(model: string, extension: ".js" | ".d.ts"): string | undefined {
  try {
    return readFileSync(new URL(`${model}${extension}`, models), "utf8");
  } catch {
    return undefined;
  }
}

/** The Go struct of a model: `DeploymentSpec` of `V1DeploymentSpec`, `Event` of `CoreV1Event`. */
export function structOf(model: string): string {
  return model.replace(/^(?:[A-Z][a-z]+)?V\d+(?:(?:alpha|beta)\d+)?/, "");
}
