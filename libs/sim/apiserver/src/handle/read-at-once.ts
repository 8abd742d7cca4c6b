import type { Authenticator } from "../auth/authenticate.ts";
import type { ApiContext } from "../context/context.ts";
import type { LocalCall } from "../http/local-api.types.ts";
import type { Reply } from "../http/respond.ts";
import { answerRead } from "./handle-resource.ts";
import { type ParsedRequest, parseRequest, readCallFor, requireUser } from "./parse-request.ts";

/** How many different paths are remembered: callers in a process read the same few lists again and again. */
const mostParsed = 500;
const longestParsed = 300;

/**
 * Answers a GET of objects in the moment in which it is asked. Undefined: the request is none, and has to be handled as any
 * other. Throws a StatusError for one that is refused.
 */
export type ReadAtOnce = (call: Pick<LocalCall, "method" | "path" | "headers">) => Reply | undefined;

export function createReadAtOnce(context: ApiContext, authenticator: Authenticator): ReadAtOnce {
  const parsed = new Map<string, ParsedRequest>();
  const parse = (path: string): ParsedRequest => {
    const known = parsed.get(path);
    if (known) return known;
    const request = parseRequest({ method: "GET", url: path });
    if (parsed.size >= mostParsed) parsed.clear();
    if (path.length <= longestParsed) parsed.set(path, request);
    return request;
  };
  return ({ method, path, headers }) => {
    if (method !== "GET") return undefined;
    const { info, query } = parse(path);
    const { verb, resource } = info;
    const isRead = verb === "get" || verb === "list";
    if (!resource || resource.subresource !== undefined || !isRead) return undefined;
    const request = { headers };
    const user = requireUser(context, authenticator, request, info);
    return answerRead(context, readCallFor(context, resource, { request, query, user }), verb);
  };
}
