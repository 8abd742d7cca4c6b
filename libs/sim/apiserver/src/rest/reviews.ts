import type { User } from "@microremed/sim-kinds";
import { badRequest, isRecord, type Loose } from "@microremed/sim-objects";
import type { Attributes } from "../auth/authorizer.ts";
import type { ApiContext, Call } from "../context/context.ts";
import type { Reply } from "../http/respond.ts";

function readAttributes(spec: Loose, namespace: string | undefined): Attributes {
  const { resourceAttributes: about, nonResourceAttributes: path } = spec ?? {};
  if (isRecord(path)) return { verb: String(path["verb"] ?? ""), path: String(path["path"] ?? "") };
  if (!isRecord(about)) {
    throw badRequest(
      "spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified",
    );
  }
  return {
    verb: about["verb"] ?? "",
    group: about["group"] ?? "",
    resource: about["resource"] ?? "",
    subresource: about["subresource"] || undefined,
    namespace: namespace ?? (about["namespace"] || undefined),
    name: about["name"] || undefined,
  };
}

function accessStatus(context: ApiContext, user: User, attributes: Attributes): object {
  const reason = context.authorizer.authorize(user, attributes);
  return { allowed: reason !== undefined, ...(reason && { reason }) };
}

function rulesStatus(context: ApiContext, user: User, spec: Loose): object {
  const rules = context.authorizer.rulesFor(user, spec?.namespace || undefined);
  return {
    incomplete: false,
    resourceRules: rules
      .filter((rule) => rule.resources)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs,
        apiGroups,
        resources,
        ...(resourceNames && { resourceNames }),
      })),
    nonResourceRules: rules
      .filter((rule) => rule.nonResourceURLs)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
  };
}

function userInfo(user: User): object {
  return { username: user.name, ...(user.uid && { uid: user.uid }), groups: user.groups };
}

function statusOf(context: ApiContext, call: Call, spec: Loose): object {
  switch (call.type.resource) {
    case "selfsubjectaccessreviews":
      return accessStatus(context, call.user, readAttributes(spec, undefined));
    case "selfsubjectrulesreviews":
      return rulesStatus(context, call.user, spec);
    case "selfsubjectreviews":
      return { userInfo: userInfo(call.user) };
    case "tokenreviews": {
      const user = context.tokens.verify(String(spec?.token ?? ""));
      return user ? { authenticated: true, user: userInfo(user) } : { authenticated: false };
    }
    default: {
      const subject: User = { name: String(spec?.user ?? ""), uid: "", groups: spec?.groups ?? [] };
      return accessStatus(context, subject, readAttributes(spec, call.target.namespace));
    }
  }
}

export function isReview(group: string): boolean {
  return group === "authorization.k8s.io" || group === "authentication.k8s.io";
}

/** Reviews are questions in the form of objects: nothing is stored. */
export async function answerReview(context: ApiContext, call: Call): Promise<Reply> {
  const body = await call.body();
  if (!isRecord(body)) throw badRequest(`a ${call.type.kind} object is expected`);
  const spec: Loose = body["spec"];
  const status = statusOf(context, call, spec);
  const apiVersion = `${call.type.group}/${call.type.version}`;
  return {
    status: 201,
    body: {
      kind: call.type.kind,
      apiVersion,
      metadata: { creationTimestamp: null },
      ...(spec && { spec }),
      status,
    },
  };
}
