import type { Served } from "@microremed/sim-kinds";
import type { LooseRecord } from "@microremed/sim-objects";
import { kubernetesVersion } from "../discovery/discovery.ts";
import { type Dialect, definitionsOf, intOrStringText, quantityText } from "./definitions.ts";
import { patchPaths } from "./patch-paths.ts";

const dialect: Dialect = {
  refer: (name, beside) => ({ ...beside, allOf: [{ $ref: `#/components/schemas/${name}` }] }),
  custom: (schema) => schema,
  quantity: { description: quantityText, oneOf: [{ type: "string" }, { type: "number" }] },
  intOrString: {
    description: intOrStringText,
    format: "int-or-string",
    oneOf: [{ type: "integer" }, { type: "string" }],
  },
};

const documentName = (group: string, version: string): string =>
  group === "" ? `api/${version}` : `apis/${group}/${version}`;

/** A document for each group and version. */
export function openApiV3Names(served: Served): readonly string[] {
  return served.groups.flatMap((group) => group.versions.map((version) => documentName(group.name, version)));
}

export function openApiV3Index(served: Served): object {
  return {
    paths: Object.fromEntries(
      openApiV3Names(served).map((name) => [name, { serverRelativeURL: `/openapi/v3/${name}?hash=1` }]),
    ),
  };
}

const parameter = (name: string): LooseRecord => ({
  name,
  in: "query",
  schema: { type: "string", uniqueItems: true },
});

/** The document of one group and version; `name` is one of `openApiV3Names`. */
export function openApiV3Document(served: Served, name: string): LooseRecord {
  const types = served.types.filter((type) => documentName(type.group, type.version) === name);
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: kubernetesVersion.gitVersion },
    paths: patchPaths(types, parameter),
    components: { schemas: Object.fromEntries(definitionsOf(types, served.types, dialect)) },
  };
}
