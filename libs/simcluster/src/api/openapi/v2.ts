import type { Served } from "../resources/catalog.ts";
import { apiVersionOf, type ResourceType } from "../resources/resource-type.ts";

/** Go cannot parse the media type that clients ask for (with `@`), so the answer spells it with a dot. */
export const openApiV2Type = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/** A length-delimited protobuf field: text or an embedded message. */
function field(number: number, content: string | readonly Buffer[]): Buffer {
  const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.concat(content);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}

/** ParametersItem > Parameter > NonBodyParameter > QueryParameterSubSchema. */
function queryParameter(name: string): Buffer {
  const schema = [field(2, "query"), field(4, name), field(6, "string")];
  return field(8, [field(1, [field(2, [field(3, schema)])])]);
}

function pathOf(type: ResourceType): Buffer {
  const { group, version, kind } = type;
  const yaml = `group: "${group}"\nkind: ${kind}\nversion: ${version}\n`;
  const extension = field(13, [field(1, "x-kubernetes-group-version-kind"), field(2, [field(2, yaml)])]);
  const parameters = ["dryRun", "fieldManager", "fieldValidation", "force"].map(queryParameter);
  const root = group === "" ? "api" : "apis";
  const namespace = type.namespaced ? "/namespaces/{namespace}" : "";
  const name = `/${root}/${apiVersionOf(type)}${namespace}/${type.resource}/{name}`;
  const patch = field(8, [...parameters, extension]);
  return field(2, [field(1, name), field(2, [patch])]);
}

const encoded = new WeakMap<Served, Buffer>();

/**
 * The OpenAPI v2 document in protobuf, with the PATCH operations only: old kubectls look there whether the server
 * knows dry runs. It has no schemas on purpose: with schemas that lack patch strategies they would send whole lists.
 */
export function openApiV2Document(served: Served): Buffer {
  let document = encoded.get(served);
  if (!document) {
    const info = field(2, [field(1, "Kubernetes"), field(2, "v1.31.9")]);
    const paths = served.types.filter((type) => type.verbs.includes("patch")).map(pathOf);
    document = Buffer.concat([field(1, "2.0"), info, field(8, paths)]);
    encoded.set(served, document);
  }
  return document;
}
