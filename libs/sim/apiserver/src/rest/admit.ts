import type { AdmissionHook, AdmissionRequest } from "@microremed/sim-kinds";
import type { KubeObject, NewObject } from "@microremed/sim-objects";
import { type FindRole, forbidEscalation, rbacGroup } from "../auth/escalation.ts";
import type { ApiContext, Call } from "../context/context.ts";

function applies(hook: AdmissionHook, call: Call): boolean {
  const { group, resource } = call.type;
  return (
    (hook.group === "*" || hook.group === group) &&
    (hook.resources.includes("*") || hook.resources.includes(resource))
  );
}

function requestOf(call: Call, object: NewObject, old: KubeObject | undefined): AdmissionRequest {
  return {
    operation: old ? "UPDATE" : "CREATE",
    object,
    old,
    user: call.user,
    namespace: call.target.namespace,
    group: call.type.group,
    resource: call.type.resource,
    subresource: call.target.subresource,
  };
}

export function mutateByHooks(
  context: ApiContext,
  call: Call,
  object: NewObject,
  old: KubeObject | undefined,
): NewObject {
  let current = object;
  for (const hook of context.hooks) {
    if (hook.mutate && applies(hook, call)) current = hook.mutate(requestOf(call, current, old));
  }
  return current;
}

export function validateByHooks(
  context: ApiContext,
  call: Call,
  object: NewObject,
  old: KubeObject | undefined,
): void {
  const find: FindRole = (resource, namespace, name) =>
    context.store.get({ group: rbacGroup, resource }, resource === "roles" ? namespace : undefined, name);
  forbidEscalation({ authorizer: context.authorizer, find }, call.type, call.user, object);
  for (const hook of context.hooks) {
    if (applies(hook, call)) hook.validate?.(requestOf(call, object, old));
  }
}

/** Asks the hooks about a client's deletion of a stored object. */
export function admitDelete(context: ApiContext, call: Call, object: KubeObject): void {
  const { namespace } = object.metadata;
  const request = { ...requestOf(call, object, undefined), operation: "DELETE", namespace } as const;
  for (const hook of context.hooks) if (applies(hook, call)) hook.validateDelete?.(request);
}
