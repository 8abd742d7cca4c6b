import type { User } from "@microremed/sim-kinds";
import { isRecord, type Loose, type ResourceRef, StatusError } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";

/** A requested action, on a resource or on a path. */
export interface Attributes {
  readonly verb: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly path?: string;
}

export interface Authorizer {
  /** The reason says which binding allowed it; undefined: not allowed. */
  authorize(user: User, attributes: Attributes): string | undefined;
  /** All rules that hold for a user in a namespace. */
  rulesFor(user: User, namespace: string | undefined): readonly Loose[];
  /** Whether a user has a right to anything of an API group, in any namespace. */
  mayUse(user: User, group: string): boolean;
}

const rbac = (resource: string): ResourceRef => ({ group: "rbac.authorization.k8s.io", resource });

function isSubject(subject: Loose, user: User, namespace: string | undefined): boolean {
  if (!isRecord(subject)) return false;
  if (subject["kind"] === "User") return subject["name"] === user.name;
  if (subject["kind"] === "Group") return user.groups.includes(subject["name"]);
  const from = subject["namespace"] ?? namespace;
  return (
    subject["kind"] === "ServiceAccount" && user.name === `system:serviceaccount:${from}:${subject["name"]}`
  );
}

const has = (list: Loose, value: string): boolean =>
  Array.isArray(list) && (list.includes(value) || list.includes("*"));

function pathMatches(pattern: string, path: string): boolean {
  if (pattern === "*") return true;
  return pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : pattern === path;
}

function ruleAllows(rule: Loose, wanted: Attributes): boolean {
  if (!isRecord(rule) || !has(rule["verbs"], wanted.verb)) return false;
  if (wanted.path !== undefined) {
    const urls: Loose = rule["nonResourceURLs"];
    return Array.isArray(urls) && urls.some((pattern) => pathMatches(String(pattern), wanted.path ?? ""));
  }
  if (!has(rule["apiGroups"], wanted.group ?? "")) return false;
  const resource = wanted.resource ?? "";
  const full = wanted.subresource ? `${resource}/${wanted.subresource}` : resource;
  const resources: Loose = rule["resources"];
  const matches =
    has(resources, full) ||
    (wanted.subresource !== undefined &&
      Array.isArray(resources) &&
      resources.includes(`*/${wanted.subresource}`));
  const names: Loose = rule["resourceNames"];
  return matches && (!Array.isArray(names) || names.length === 0 || names.includes(wanted.name));
}

interface Grant {
  readonly rules: readonly Loose[];
  readonly reason: string;
}

/** RBAC over the roles and bindings in the store; members of system:masters may do everything. */
export function createAuthorizer(store: Store): Authorizer {
  function rulesOf(roleRef: Loose, namespace: string | undefined): readonly Loose[] {
    const isRole = roleRef?.kind === "Role";
    const role = store.get(
      rbac(isRole ? "roles" : "clusterroles"),
      isRole ? namespace : undefined,
      roleRef?.name,
    );
    const rules: Loose = role?.["rules"];
    return Array.isArray(rules) ? rules : [];
  }

  function* grantsTo(user: User, namespace: string | undefined): Generator<Grant> {
    for (const binding of store.list(rbac("clusterrolebindings"))) {
      const subjects: Loose = binding["subjects"] ?? [];
      const subject = subjects.find((candidate: Loose) => isSubject(candidate, user, undefined));
      if (!subject) continue;
      const roleRef: Loose = binding["roleRef"];
      yield {
        rules: rulesOf(roleRef, undefined),
        reason: `RBAC: allowed by ClusterRoleBinding "${binding.metadata.name}" of ClusterRole "${roleRef?.name}" to ${subject.kind} "${subject.name}"`,
      };
    }
    if (namespace === undefined) return;
    for (const binding of store.list(rbac("rolebindings"), namespace)) {
      const subjects: Loose = binding["subjects"] ?? [];
      const subject = subjects.find((candidate: Loose) => isSubject(candidate, user, namespace));
      if (!subject) continue;
      const roleRef: Loose = binding["roleRef"];
      yield {
        rules: rulesOf(roleRef, namespace),
        reason: `RBAC: allowed by RoleBinding "${binding.metadata.name}/${namespace}" of ${roleRef?.kind} "${roleRef?.name}" to ${subject.kind} "${subject.name}"`,
      };
    }
  }

  function* allGrantsTo(user: User): Generator<Grant> {
    yield* grantsTo(user, undefined);
    const namespaces = new Set(store.list(rbac("rolebindings")).map(({ metadata }) => metadata.namespace));
    for (const namespace of namespaces) if (namespace !== undefined) yield* grantsTo(user, namespace);
  }

  return {
    authorize(user, wanted) {
      if (user.groups.includes("system:masters")) return "";
      for (const grant of grantsTo(user, wanted.path === undefined ? wanted.namespace : undefined)) {
        if (grant.rules.some((rule) => ruleAllows(rule, wanted))) return grant.reason;
      }
      return undefined;
    },
    rulesFor(user, namespace) {
      if (user.groups.includes("system:masters")) {
        return [
          { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
          { verbs: ["*"], nonResourceURLs: ["*"] },
        ];
      }
      return [...grantsTo(user, namespace)].flatMap((grant) => grant.rules);
    },
    mayUse(user, group) {
      if (user.groups.includes("system:masters")) return true;
      const covers = ({ apiGroups }: Loose): boolean =>
        Array.isArray(apiGroups) && (apiGroups.includes(group) || apiGroups.includes("*"));
      return allGrantsTo(user).some(({ rules }) => rules.some(covers));
    },
  };
}

/** The 403 that kubectl users know. */
export function denied(user: User, wanted: Attributes): StatusError {
  const who = `User ${JSON.stringify(user.name)} cannot ${wanted.verb}`;
  if (wanted.path !== undefined) {
    const message = `forbidden: ${who} path ${JSON.stringify(wanted.path)}`;
    return new StatusError(403, "Forbidden", message, {});
  }
  const { group = "", resource = "", subresource, namespace, name } = wanted;
  const full = subresource ? `${resource}/${subresource}` : resource;
  const what = `${who} resource ${JSON.stringify(full)} in API group ${JSON.stringify(group)}`;
  const where =
    namespace === undefined ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  const title = group === "" ? resource : `${resource}.${group}`;
  const message = name
    ? `${title} ${JSON.stringify(name)} is forbidden: ${what} ${where}`
    : `${title} is forbidden: ${what} ${where}`;
  return new StatusError(403, "Forbidden", message, {
    ...(name && { name }),
    ...(group && { group }),
    kind: resource,
  });
}
