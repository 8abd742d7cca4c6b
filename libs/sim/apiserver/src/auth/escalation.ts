import type { ResourceType, User } from "@microremed/sim-kinds";
import { type Loose, type NewObject, StatusError } from "@microremed/sim-objects";
import type { Authorizer } from "./authorizer.ts";

export const rbacGroup = "rbac.authorization.k8s.io";

const listed = (names: readonly string[] | undefined): string =>
  `[${(names ?? []).map((name) => JSON.stringify(name)).join(", ")}]`;

/** Whether a user holds all rights of a rule. */
function holds(authorizer: Authorizer, user: User, namespace: string | undefined, rule: Loose): boolean {
  const may = (wanted: object): boolean => authorizer.authorize(user, { verb: "", ...wanted }) !== undefined;
  for (const verb of rule.verbs ?? []) {
    for (const path of rule.nonResourceURLs ?? []) if (!may({ verb, path })) return false;
    for (const apiGroup of rule.apiGroups ?? []) {
      for (const full of rule.resources ?? []) {
        const [resource, subresource] = full.split("/");
        for (const name of rule.resourceNames ?? [undefined]) {
          if (!may({ verb, group: apiGroup, resource, subresource, namespace, name })) return false;
        }
      }
    }
  }
  return true;
}

/** The rules that a binding would give to its subjects. */
function boundRules(find: FindRole, object: NewObject, namespace: string | undefined): readonly Loose[] {
  const role: Loose = object["roleRef"];
  const rules: Loose = find(role?.kind === "Role" ? "roles" : "clusterroles", namespace, role?.name)?.[
    "rules"
  ];
  return Array.isArray(rules) ? rules : [];
}

export type FindRole = (
  resource: "roles" | "clusterroles",
  namespace: string | undefined,
  name: string,
) => NewObject | undefined;

/** Throws 403 when a user writes a role or a binding that grants more rights than the user holds. */
export function forbidEscalation(
  deps: { readonly authorizer: Authorizer; readonly find: FindRole },
  type: ResourceType,
  user: User,
  object: NewObject,
): void {
  if (type.group !== rbacGroup || user.groups.includes("system:masters")) return;
  const { authorizer, find } = deps;
  const { namespace, name = "" } = object.metadata;
  const binds = type.resource.endsWith("bindings");
  const verb = binds ? "bind" : "escalate";
  const role: Loose = object["roleRef"];
  // Who may bind a role is asked by the role's name, whatever the binding is called.
  const about = binds
    ? { resource: `${String(role?.kind).toLowerCase()}s`, name: role?.name }
    : { resource: type.resource, name };
  if (authorizer.authorize(user, { verb, group: rbacGroup, namespace, ...about }) !== undefined) return;
  const given: Loose = binds ? boundRules(find, object, namespace) : (object["rules"] ?? []);
  const missing = given.filter((rule: Loose) => !holds(authorizer, user, namespace, rule));
  if (missing.length === 0) return;
  const texts = missing.map(
    (rule: Loose) =>
      `{APIGroups:${listed(rule.apiGroups)}, Resources:${listed(rule.resources)}, Verbs:${listed(rule.verbs)}}`,
  );
  const who = `user ${JSON.stringify(user.name)} (groups=${listed(user.groups)})`;
  const message = `${type.resource}.${rbacGroup} ${JSON.stringify(name)} is forbidden: ${who} is attempting to grant RBAC permissions not currently held:\n${texts.join("\n")}`;
  throw new StatusError(403, "Forbidden", message, { name, group: rbacGroup, kind: type.resource });
}
