import { StatusError } from "@microremed/sim-objects";
import type { ApiContext, Call, ReadCall } from "../context/context.ts";
import type { Reply } from "../http/respond.ts";
import { createObject } from "../rest/create.ts";
import { deleteCollection, deleteObject } from "../rest/delete.ts";
import { finalizeNamespace } from "../rest/finalize-namespace.ts";
import { readMetrics } from "../rest/metrics.ts";
import { patchObject } from "../rest/patch.ts";
import { getObject, listObjects } from "../rest/read.ts";
import { answerReview, isReview } from "../rest/reviews.ts";
import { replaceObject } from "../rest/update.ts";
import { watchObjects } from "../rest/watch.ts";
import { handleApproval } from "../subresources/approval.ts";
import { evict } from "../subresources/eviction.ts";
import { streamLog } from "../subresources/log.ts";
import { proxyRequest } from "../subresources/proxy.ts";
import { handleScale } from "../subresources/scale.ts";
import { requestToken } from "../subresources/token.ts";

export function methodNotAllowed(): StatusError {
  return new StatusError(
    405,
    "MethodNotAllowed",
    "the server does not allow this method on the requested resource",
  );
}

const streaming = new Set(["exec", "attach", "portforward"]);

async function handleSubresource(
  context: ApiContext,
  call: Call,
  verb: string,
  subresource: string,
): Promise<Reply | undefined> {
  switch (subresource) {
    case "scale":
      return handleScale(context, call, verb);
    case "eviction":
      return evict(context, call);
    case "approval":
      return handleApproval(context, call, verb);
    case "token":
      return requestToken(context, call);
    case "finalize":
      return finalizeNamespace(context, call);
    case "proxy":
      await proxyRequest(context, call);
      return undefined;
    case "log":
      await streamLog(context, call);
      return undefined;
    default:
      if (streaming.has(subresource)) {
        throw new StatusError(400, "BadRequest", "Upgrade request required");
      }
      return handleObject(context, call, verb);
  }
}

async function handleObject(context: ApiContext, call: Call, verb: string): Promise<Reply | undefined> {
  switch (verb) {
    case "get":
      return getObject(context, call);
    case "list":
      return listObjects(context, call);
    case "watch":
      watchObjects(context, call);
      return undefined;
    case "create":
      return createObject(context, call);
    case "update":
      return replaceObject(context, call);
    case "patch":
      return patchObject(context, call);
    case "delete":
      return deleteObject(context, call);
    case "deletecollection":
      return deleteCollection(context, call);
    default:
      throw methodNotAllowed();
  }
}

/** Answers a get or a list of objects, at once. */
export function answerRead(context: ApiContext, call: ReadCall, verb: "get" | "list"): Reply {
  const { type } = call;
  if (!type.verbs.includes(verb)) throw methodNotAllowed();
  if (type.group === "metrics.k8s.io") return readMetrics(context, call);
  return verb === "get" ? getObject(context, call) : listObjects(context, call);
}

/** Answers a resource request; undefined when the handler streams the answer itself. */
export async function handleResource(
  context: ApiContext,
  call: Call,
  verb: string,
): Promise<Reply | undefined> {
  const { type, target } = call;
  if (target.subresource !== undefined) {
    const known = type.subresources.find((candidate) => candidate.name === target.subresource);
    if (!known) throw new StatusError(404, "NotFound", "the server could not find the requested resource");
    if (!known.verbs.includes(verb)) throw methodNotAllowed();
    return handleSubresource(context, call, verb, target.subresource);
  }
  if (verb === "get" || verb === "list") return answerRead(context, call, verb);
  if (!type.verbs.includes(verb)) throw methodNotAllowed();
  if (verb === "create" && target.name !== undefined) throw methodNotAllowed();
  if (isReview(type.group)) return answerReview(context, call);
  return handleObject(context, call, verb);
}
