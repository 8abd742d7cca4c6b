import { type FieldType, structOf } from "@microremed/sim-kinds";
import { badRequest, isRecord, type Loose, type LooseRecord, StatusError } from "@microremed/sim-objects";
import { findMessage, type Message, type WireField } from "./field-numbers.ts";
import { type RawField, readFields } from "./wire-reader.ts";

const magic = Buffer.from("k8s\0");
const maxDepth = 32;

export function isProtobuf(body: Buffer): boolean {
  return body.subarray(0, magic.length).equals(magic);
}

function textOf(fields: Iterable<RawField>, number: number): string {
  for (const field of fields) {
    if (field.number === number && Buffer.isBuffer(field.value)) return field.value.toString("utf8");
  }
  return "";
}

/** Plain Go fields, which are written even when they are empty; pointers to something empty mean it. */
const plain = new Set([
  "metadata",
  "spec",
  "status",
  "resources",
  "strategy",
  "hostNetwork",
  "hostPID",
  "hostIPC",
  "stdin",
  "stdinOnce",
  "tty",
  "readOnly",
  "paused",
  "publishNotReadyAddresses",
  "globalDefault",
]);

const plainNumbers = new Set(["hostPort", "nodePort", "healthCheckNodePort", "number", "minReadySeconds"]);

/** Zero values of plain fields are left out in JSON; behind a pointer, `replicas: 0` means something. */
function isZero(name: string, value: Loose): boolean {
  if (value === "" || (value === 0 && plainNumbers.has(name))) return true;
  return plain.has(name) && (value === false || (isRecord(value) && Object.keys(value).length === 0));
}

function intOrString(bytes: Buffer): Loose {
  let number = 0;
  let isText = false;
  let text = "";
  for (const { number: field, value } of readFields(bytes)) {
    if (Buffer.isBuffer(value)) text = value.toString("utf8");
    else if (field === 1) isText = value === 1n;
    else number = Number(value);
  }
  return isText ? text : number;
}

function readValue(type: FieldType, value: bigint | Buffer, depth: number): Loose {
  if (!Buffer.isBuffer(value)) return type.kind === "bool" ? value !== 0n : Number(value);
  switch (type.kind) {
    case "struct":
      return readMessage(findMessage(structOf(type.model)), value, depth + 1);
    case "quantity":
      return textOf(readFields(value), 1);
    case "int-or-string":
      return intOrString(value);
    default:
      return value.toString("utf8");
  }
}

function readEntry(type: WireField["type"], entry: Buffer, depth: number): [string, Loose] {
  let key = "";
  let value: Loose = "";
  for (const { number, value: raw } of readFields(entry)) {
    if (number === 1 && Buffer.isBuffer(raw)) key = raw.toString("utf8");
    if (number === 2 && type.kind === "bytes-map" && Buffer.isBuffer(raw)) value = raw.toString("base64");
    if (number === 2 && type.kind === "map") value = readValue(type.of, raw, depth);
  }
  return [key, value];
}

function readMessage(message: Message | undefined, bytes: Buffer, depth = 0): LooseRecord {
  if (depth > maxDepth) throw badRequest("the protobuf body is nested too deeply");
  const result: LooseRecord = {};
  for (const { number, value } of readFields(bytes)) {
    const field = message?.get(number);
    if (!field || field.type.kind === "any") continue;
    const { name, type } = field;
    if (type.kind === "map" || type.kind === "bytes-map") {
      if (!Buffer.isBuffer(value)) continue;
      const [key, inner] = readEntry(type, value, depth);
      result[name] = { ...result[name], [key]: inner };
    } else if (type.kind === "list") {
      result[name] = [...(result[name] ?? []), readValue(type.of, value, depth)];
    } else {
      const inner = readValue(type, value, depth);
      if (name === "$inline") Object.assign(result, inner);
      else if (!isZero(name, inner)) result[name] = inner;
    }
  }
  return result;
}

/**
 * A body of kubectl 1.32 or later: `k8s\0`, then a runtime.Unknown around the kind's own message. Throws 415 for kinds
 * whose messages are not known here.
 */
export function decodeBody(body: Buffer): LooseRecord {
  let apiVersion = "";
  let kind = "";
  let raw: Buffer = Buffer.alloc(0);
  for (const { number, value } of readFields(body.subarray(magic.length))) {
    if (!Buffer.isBuffer(value)) continue;
    if (number === 1) [apiVersion, kind] = [textOf(readFields(value), 1), textOf(readFields(value), 2)];
    if (number === 2) raw = value;
  }
  const group = apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
  const message =
    findMessage(`${apiVersion}/${kind}`) ??
    findMessage(kind === "DeleteOptions" ? "DeleteOptions" : `${group}/${kind}`);
  if (!message) {
    throw new StatusError(
      415,
      "UnsupportedMediaType",
      `the body of the request was in an unknown format: protobuf bodies of ${apiVersion} ${kind} are not read here; send application/json`,
    );
  }
  return { ...readMessage(message, raw), apiVersion, kind };
}
