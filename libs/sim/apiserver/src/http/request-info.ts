/** What a request asks for, read from method and path alone. */
export interface RequestInfo {
  readonly verb: string;
  readonly path: string;
  /** Undefined: no resource request. */
  readonly resource?: ResourceRequest;
}

export interface ResourceRequest {
  readonly group: string;
  readonly version: string;
  readonly namespace: string | undefined;
  readonly resource: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** What follows `proxy/`. */
  readonly proxyPath?: string;
}

const writeVerbs: Readonly<Record<string, string>> = { POST: "create", PUT: "update", PATCH: "patch" };

function verbOf(method: string, hasName: boolean, watching: boolean): string {
  if (method === "GET" || method === "HEAD") return watching ? "watch" : hasName ? "get" : "list";
  if (method === "DELETE") return hasName ? "delete" : "deletecollection";
  return writeVerbs[method] ?? method.toLowerCase();
}

function splitResource(group: string, version: string, rest: readonly string[]): ResourceRequest | undefined {
  const inNamespace = rest[0] === "namespaces" && rest.length > 2;
  // `/namespaces/x/status` and `/finalize` are the namespace's own subresources.
  if (inNamespace && (rest[2] === "status" || rest[2] === "finalize") && rest.length === 3) {
    return {
      group,
      version,
      namespace: rest[1],
      resource: "namespaces",
      name: rest[1],
      subresource: rest[2],
    };
  }
  const [resource, name, subresource, ...more] = inNamespace ? rest.slice(2) : rest;
  const isProxy = subresource === "proxy";
  if (resource === undefined || (more.length > 0 && !isProxy)) return undefined;
  // A request about a namespace is a request in it: its own roles decide.
  const namespace = inNamespace ? rest[1] : resource === "namespaces" ? name : undefined;
  const found = { group, version, namespace, resource, name, subresource };
  return isProxy ? { ...found, proxyPath: more.join("/") } : found;
}

/** `path` decoded and without a trailing slash; `watching`: the query asks for a watch. */
export function parseRequestInfo(method: string, path: string, watching: boolean): RequestInfo {
  const parts = path.split("/").filter((part) => part !== "");
  const isCore = parts[0] === "api" && parts.length > 2;
  const isGroup = parts[0] === "apis" && parts.length > 3;
  const plain: RequestInfo = { verb: method.toLowerCase(), path };
  if (!isCore && !isGroup) return plain;
  const [group = "", version = ""] = isCore ? ["", parts[1]] : [parts[1], parts[2]];
  const resource = splitResource(group, version, parts.slice(isCore ? 2 : 3));
  if (!resource) return plain;
  return { verb: verbOf(method, resource.name !== undefined, watching), path, resource };
}
