import { IncomingMessage } from "node:http";
import { badRequest, StatusError } from "@microremed/sim-objects";
import { load, YAMLException } from "js-yaml";
import { decodeBody, isProtobuf } from "../protobuf/decode-body.ts";
import type { ApiRequest } from "./exchange.types.ts";
import { repeatedFields } from "./inspect-json.ts";

/** etcd's request bound, which the API server shares. */
const maxBytes = 3 * 1024 * 1024;
const maxDepth = 200;

/** The whole body. Throws 413 when it is larger than 3 MiB; the rest is then read and dropped. */
export async function readBody(request: ApiRequest): Promise<Buffer> {
  if (request instanceof IncomingMessage) return readStream(request);
  if (request.body.length > maxBytes) throw tooLarge();
  return request.body;
}

function tooLarge(): StatusError {
  return new StatusError(
    413,
    "RequestEntityTooLarge",
    `Request entity too large: limit is ${maxBytes} bytes`,
  );
}

function readStream(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      reject(tooLarge());
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
    request.on("close", () => {
      if (!request.complete) reject(badRequest("the client closed the connection before the body's end"));
    });
  });
}

/** What a body says. */
export interface ParsedBody {
  readonly value: unknown;
  /** What strict decoders refuse about its form, in their words: fields that occur twice. */
  readonly repeated: readonly string[];
}

function parseJson(text: string): ParsedBody {
  const repeated = repeatedFields(text).map((path) => `duplicate field ${JSON.stringify(path)}`);
  try {
    // Such a key would become the object's prototype in whatever copies it.
    const reviver = text.includes("__proto__") ? withoutPrototype : undefined;
    return { value: JSON.parse(text, reviver), repeated };
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}

const withoutPrototype = (key: string, value: unknown): unknown => (key === "__proto__" ? undefined : value);

/** `line 3: key "a" already set in map`, where a key occurs twice. */
function repeatedKey(text: string, error: unknown): string | undefined {
  if (!(error instanceof YAMLException) || error.reason !== "duplicated mapping key") return undefined;
  const line = error.mark?.line ?? 0;
  const key = /^[\s-]*("?)(.*?)\1\s*:/.exec(text.split("\n")[line] ?? "")?.[2] ?? "";
  return `line ${line + 1}: key ${JSON.stringify(key)} already set in map`;
}

function parseYaml(text: string): ParsedBody {
  const options = { maxDepth, maxAliases: 0 };
  try {
    return { value: load(text, options), repeated: [] };
  } catch (error) {
    const repeated = repeatedKey(text, error);
    // `json`: the last one counts, as in JSON.
    if (repeated !== undefined)
      return { value: load(text, { ...options, json: true }), repeated: [repeated] };
    throw badRequest(`error converting YAML to JSON: ${(error as Error).message.split("\n")[0]}`);
  }
}

function unsupported(mediaType: string): StatusError {
  return new StatusError(
    415,
    "UnsupportedMediaType",
    `the body of the request was in an unknown format (${mediaType}) - accepted media types include: application/json, application/yaml`,
  );
}

const jsonTypes = new Set([
  "",
  "application/json",
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  // Sent by HTTP libraries that set a type although the caller chose none.
  "application/octet-stream",
  "application/x-www-form-urlencoded",
  "text/plain",
  "*/*",
]);
const yamlTypes = new Set([
  "application/yaml",
  "application/x-yaml",
  "text/yaml",
  "application/apply-patch+yaml",
]);

/** Media type without parameters, lower case; empty when absent. */
export function mediaType(header: string | undefined): string {
  return (header ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Protobuf by its first bytes, else JSON or YAML by content type; a missing type means JSON. Undefined for an empty body. */
export function parseBody(body: Buffer, contentType: string | undefined): ParsedBody {
  if (body.length === 0) return { value: undefined, repeated: [] };
  const type = mediaType(contentType);
  if (isProtobuf(body)) return { value: decodeBody(body), repeated: [] };
  const text = body.toString("utf8");
  if (yamlTypes.has(type)) return /^\s*[{[]/.test(text) ? parseJson(text) : parseYaml(text);
  if (!jsonTypes.has(type)) throw unsupported(type);
  return parseJson(text);
}
