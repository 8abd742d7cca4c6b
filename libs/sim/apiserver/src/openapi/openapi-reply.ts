import { apiVersionOf, type Served } from "@microremed/sim-kinds";
import { type LooseRecord, StatusError } from "@microremed/sim-objects";
import type { Reply } from "../http/respond.ts";
import { openApiV2Document } from "./v2.ts";
import { encodeV2 } from "./v2-protobuf.ts";
import { openApiV3Document, openApiV3Names } from "./v3.ts";

/** Go cannot parse the media type that clients ask for (with `@`), so the answer spells it with a dot. */
const protobufType = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const protobufAsked = /application\/com\.github\.proto-openapi\.spec\.v2[@.]v1\.0\+protobuf/;
const jsonAsked = /^\s*$|application\/(?:json|\*)|\*\/\*/;

const maxShared = 100;
/** Documents of built-in kinds are the same in all clusters. */
const shared = new Map<string, Buffer>();
const own = new WeakMap<Served, Map<string, Buffer>>();

/** The bytes of a document, which many clients ask for at every apply: written once, when first asked for. */
function writtenOnce(served: Served, name: string, write: () => Buffer): Buffer {
  const isShared = served.types.every((type) => !type.custom);
  const documents = isShared ? shared : (own.get(served) ?? new Map<string, Buffer>());
  if (!isShared) own.set(served, documents);
  const kinds = isShared ? served.types.map((type) => `${apiVersionOf(type)}/${type.kind}`) : [];
  const key = [name, ...kinds].join();
  const bytes = documents.get(key) ?? write();
  if (documents.size >= maxShared) documents.clear();
  documents.set(key, bytes);
  return bytes;
}

const json = (document: LooseRecord): Buffer => Buffer.from(JSON.stringify(document));

/** JSON, or gnostic's protobuf message, which is all that kubectl reads. Throws 406. */
export function openApiV2Reply(served: Served, accept = ""): Reply {
  if (protobufAsked.test(accept)) {
    const body = writtenOnce(served, "v2.pb", () => encodeV2(openApiV2Document(served)));
    return { status: 200, body, headers: { "content-type": protobufType } };
  }
  if (!jsonAsked.test(accept)) {
    const message = `only the following media types are accepted: application/json, ${protobufType}`;
    throw new StatusError(406, "NotAcceptable", message);
  }
  return { status: 200, body: writtenOnce(served, "v2", () => json(openApiV2Document(served))) };
}

/** Undefined when no group and version of that name is served. */
export function openApiV3Reply(served: Served, name: string): Reply | undefined {
  if (!openApiV3Names(served).includes(name)) return undefined;
  return { status: 200, body: writtenOnce(served, name, () => json(openApiV3Document(served, name))) };
}
