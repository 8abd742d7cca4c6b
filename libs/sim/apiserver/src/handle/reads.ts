import type { User } from "@microremed/sim-kinds";
import { badRequest, isRecord, StatusError } from "@microremed/sim-objects";
import type { ApiContext } from "../context/context.ts";
import type { ApiRequest } from "../http/exchange.types.ts";
import { bodyOf, failure, type Reply } from "../http/respond.ts";
import { answerRead } from "./handle-resource.ts";
import { parseRequest, readCallFor, requireRight } from "./parse-request.ts";

/**
 * Where several reads are answered at once: POST `{"paths": ["/api/v1/namespaces/shop/pods?limit=500", ...]}` gives
 * `{"answers": [{"status": 200, "body": {...}}, ...]}` in the same order. Not Kubernetes'.
 */
export const readsPath = "/microremed/reads";

const mostPaths = 100;
/** As long as a request's own may be. */
const longestPath = 32 * 1024;
/** Of all answers together; a read after that is refused with 413, and answered when it is sent alone. */
const mostBytes = 32 * 2 ** 20;

/** Who reads, and the request in which the paths came. */
export interface Reader {
  readonly context: ApiContext;
  readonly user: User;
  readonly request: ApiRequest;
}

/**
 * Answers each path as a GET of its own by the same user, all in one moment: with its own status, whatever becomes of the
 * others. Only objects and lists of them are read. Throws 400 for what is no list of 1 to 100 paths.
 */
export function answerReads(reader: Reader, body: unknown): Reply {
  const chunks: Buffer[] = [];
  let size = 0;
  for (const path of pathsOf(body)) {
    const reply = size > mostBytes ? failure(tooMuch()) : answerTo(reader, path);
    const json = bytesOf(reply);
    size += json.length;
    const begin = `${chunks.length === 0 ? '{"answers":[' : "},"}{"status":${reply.status},"body":`;
    chunks.push(Buffer.from(begin), json);
  }
  chunks.push(Buffer.from("}]}"));
  return { status: 200, body: Buffer.concat(chunks) };
}

function pathsOf(body: unknown): readonly string[] {
  const paths: unknown = isRecord(body) ? body["paths"] : undefined;
  const isPath = (one: unknown): boolean => typeof one === "string" && one.length <= longestPath;
  if (Array.isArray(paths) && paths.length > 0 && paths.length <= mostPaths && paths.every(isPath))
    return paths;
  throw badRequest(
    `the body must be {"paths": [...]} with 1 to ${mostPaths} paths of at most ${longestPath} characters`,
  );
}

/** Complete JSON: an error while it is written is this answer's alone. */
function answerTo(reader: Reader, path: string): Reply {
  try {
    const reply = read(reader, path);
    return { status: reply.status, body: bytesOf(reply) };
  } catch (error) {
    if (!(error instanceof StatusError))
      reader.context.log.error(
        { error: error instanceof Error ? error.stack : String(error), url: path },
        "read failed",
      );
    return failure(error);
  }
}

function read({ context, user, request }: Reader, url: string): Reply {
  const { info, query } = parseRequest({ method: "GET", url });
  const { verb, resource } = info;
  // Anything else may stream, run a program or reach a server.
  if (!resource || resource.subresource !== undefined || (verb !== "get" && verb !== "list"))
    throw badRequest(`${readsPath} reads objects and lists of them alone; send this request by itself`);
  requireRight(context, user, info);
  return answerRead(context, readCallFor(context, resource, { request, query, user }), verb);
}

function bytesOf(reply: Reply): Buffer {
  const body = bodyOf(reply);
  return typeof body === "string" ? Buffer.from(body) : body;
}

function tooMuch(): StatusError {
  return new StatusError(
    413,
    "RequestEntityTooLarge",
    `the answers before this one have more than ${mostBytes} bytes; send this request by itself`,
  );
}
