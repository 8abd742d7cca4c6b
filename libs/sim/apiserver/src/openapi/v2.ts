import type { Served } from "@microremed/sim-kinds";
import type { LooseRecord } from "@microremed/sim-objects";
import { kubernetesVersion } from "../discovery/discovery.ts";
import { type Dialect, definitionsOf, intOrStringText, quantityText } from "./definitions.ts";
import { patchPaths } from "./patch-paths.ts";
import { v2Schema } from "./v2-schema.ts";

const dialect: Dialect = {
  refer: (name, beside) => ({ ...beside, $ref: `#/definitions/${name}` }),
  custom: v2Schema,
  quantity: { description: quantityText, type: "string" },
  intOrString: { description: intOrStringText, type: "string", format: "int-or-string" },
};

const parameter = (name: string): LooseRecord => ({ name, in: "query", type: "string", uniqueItems: true });

/**
 * The OpenAPI v2 document of a cluster: all definitions, of paths the PATCH operations only: old kubectls search there
 * whether the server knows dry runs.
 */
export function openApiV2Document({ types }: Served): LooseRecord {
  return {
    swagger: "2.0",
    info: { title: "Kubernetes", version: kubernetesVersion.gitVersion },
    paths: patchPaths(types, parameter),
    definitions: Object.fromEntries(definitionsOf(types, types, dialect)),
  };
}
