import { readModel } from "@microremed/sim-kinds";

/** What the API reference says of one struct: of itself, and of its fields. */
export interface StructText {
  readonly description: string;
  readonly fields: ReadonlyMap<string, string>;
  readonly required: readonly string[];
}

/** A comment, if there is one, and the field or the class below it. */
const declaration = /(?:\/\*\*\s*\* ([^\n]*)\s*\*\/\s*)?(?:^ {4}'_?([\w$-]+)'(\??):|^export declare class)/gm;

/**
 * Comments of the JavaScript client's models are the descriptions of Kubernetes' own OpenAPI document (Apache-2.0).
 * Not kept: a document is written once. `model`: `V1DeploymentSpec`.
 */
export function describeModel(model: string): StructText {
  const found = [...(readModel(model, ".d.ts") ?? "").matchAll(declaration)].map(
    ([, text = "", field = "", optional = ""]) => ({
      // Where a name is none in JavaScript, the model has `_` in it.
      field: field.replaceAll("_", "-"),
      text: text.replace(/\\(["'])/g, "$1").trim(),
      isRequired: field !== "" && optional === "",
    }),
  );
  return {
    description: found.find(({ field }) => field === "")?.text ?? "",
    fields: new Map(found.filter(({ field, text }) => field && text).map(({ field, text }) => [field, text])),
    required: found.filter(({ isRequired }) => isRequired).map(({ field }) => field),
  };
}
