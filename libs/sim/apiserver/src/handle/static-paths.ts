import type { Served } from "@microremed/sim-kinds";
import { StatusError } from "@microremed/sim-objects";
import {
  aggregatedDiscovery,
  apiGroup,
  apiGroupList,
  apiVersions,
  kubernetesVersion,
  resourceList,
} from "../discovery/discovery.ts";
import type { ApiRequest } from "../http/exchange.types.ts";
import type { Reply } from "../http/respond.ts";
import { openApiV2Reply, openApiV3Reply } from "../openapi/openapi-reply.ts";
import { openApiV3Index } from "../openapi/v3.ts";
import { methodNotAllowed } from "./handle-resource.ts";

export function unknownPath(): StatusError {
  return new StatusError(404, "NotFound", "the server could not find the requested resource", {});
}

const aggregated = /application\/json;g=apidiscovery\.k8s\.io;v=(v2|v2beta1);as=APIGroupDiscoveryList/;

function discoveryRoot(served: Served, request: ApiRequest, root: "api" | "apis"): Reply {
  const accept = (request.headers.accept ?? "").replaceAll(" ", "");
  const version = aggregated.exec(accept)?.[1];
  if (version !== undefined) {
    return {
      status: 200,
      body: aggregatedDiscovery(served, root, version),
      headers: {
        "content-type": `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
      },
    };
  }
  const body = root === "api" ? apiVersions(request.headers.host ?? "") : apiGroupList(served);
  return { status: 200, body };
}

/** Health, version, discovery and OpenAPI: what does not depend on stored objects. */
export function staticReply(served: Served, request: ApiRequest, path: string): Reply {
  if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed();
  if (/^\/(healthz|livez|readyz)(\/|$)/.test(path)) return { status: 200, body: "ok" };
  if (path === "/version") return { status: 200, body: kubernetesVersion };
  if (path === "/api" || path === "/apis")
    return discoveryRoot(served, request, path === "/api" ? "api" : "apis");
  if (path === "/openapi/v2") return openApiV2Reply(served, request.headers.accept);
  if (path === "/openapi/v3") return { status: 200, body: openApiV3Index(served) };
  if (path.startsWith("/openapi/v3/")) {
    const reply = openApiV3Reply(served, path.slice("/openapi/v3/".length));
    if (reply) return reply;
  }
  const [, root, group = "", version = "", ...more] = path.split("/");
  if (more.length === 0 && (root === "api" || root === "apis")) {
    const body =
      root === "api"
        ? resourceList(served, "", group)
        : version
          ? resourceList(served, group, version)
          : apiGroup(served, group);
    if (body) return { status: 200, body };
  }
  throw unknownPath();
}
