import type { IncomingMessage } from "node:http";
import { load } from "js-yaml";
import { badRequest, StatusError } from "../../store/status-error.ts";
import { decodeBody, isProtobuf } from "../protobuf/decode-body.ts";

/** etcd's request bound, which the API server shares. */
const maxBytes = 3 * 1024 * 1024;
const maxDepth = 200;

/** The whole body. Throws 413 when it is larger than 3 MiB; the rest is then read and dropped. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
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
      const message = `Request entity too large: limit is ${maxBytes} bytes`;
      reject(new StatusError(413, "RequestEntityTooLarge", message));
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
    request.on("close", () => reject(badRequest("the client closed the connection before the body's end")));
  });
}

function checkDepth(text: string): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === "\\") index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") {
      depth += 1;
      if (depth > maxDepth) throw badRequest(`json: exceeded max depth of ${maxDepth}`);
    } else if (character === "}" || character === "]") depth -= 1;
  }
}

function parseJson(text: string): unknown {
  checkDepth(text);
  try {
    // Such a key would become the object's prototype in whatever copies it.
    if (text.includes("__proto__"))
      return JSON.parse(text, (key, value) => (key === "__proto__" ? undefined : value));
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}

function parseYaml(text: string): unknown {
  try {
    return load(text, { maxDepth, maxAliases: 0 });
  } catch (error) {
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
  // Sent by HTTP libraries that name a type although nobody chose one.
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
export function parseBody(body: Buffer, contentType: string | undefined): unknown {
  if (body.length === 0) return undefined;
  const type = mediaType(contentType);
  if (isProtobuf(body)) return decodeBody(body);
  const text = body.toString("utf8");
  if (yamlTypes.has(type)) return /^\s*[{[]/.test(text) ? parseJson(text) : parseYaml(text);
  if (!jsonTypes.has(type)) throw unsupported(type);
  return parseJson(text);
}
