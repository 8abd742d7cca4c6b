import type { IncomingHttpHeaders } from "node:http";
import type { User } from "@microremed/sim-kinds";
import { StatusError } from "@microremed/sim-objects";
import { type Attributes, type Authorizer, denied } from "./authorizer.ts";

const verb = "impersonate";
const dnsName = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
const prefix = "impersonate-";
const extraHeader = `${prefix}extra-`;

const listOf = (value: string | string[] | undefined): string[] =>
  (Array.isArray(value) ? value : (value?.split(",") ?? [])).map((item) => item.trim()).filter(Boolean);

/** The namespace and name that a service account's user name has; undefined: it is another user. */
function accountOf(user: string): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace = "", name = ""] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? [];
  return dnsName.test(namespace) && dnsName.test(name) ? { namespace, name } : undefined;
}

/**
 * `kubectl --as`: a user acts as another one, if it may do so for the user or service account, and for every group, uid
 * and extra value that it names. Throws 403 for one that it may not, 500 for what has no user.
 */
export function impersonate(user: User, headers: IncomingHttpHeaders, authorizer: Authorizer): User {
  return asksToImpersonate(headers) ? impersonated(user, headers, authorizer) : user;
}

function asksToImpersonate(headers: IncomingHttpHeaders): boolean {
  for (const header in headers) if (header.startsWith(prefix)) return true;
  return false;
}

function impersonated(user: User, headers: IncomingHttpHeaders, authorizer: Authorizer): User {
  const name = headers["impersonate-user"];
  const asked = listOf(headers["impersonate-group"]);
  const [uid] = listOf(headers["impersonate-uid"]);
  const extra = Object.entries(headers).flatMap(([header, value]) =>
    header.startsWith(extraHeader)
      ? listOf(value).map((one) => ({
          key: decodeURIComponent(header.slice(extraHeader.length)),
          value: one,
        }))
      : [],
  );
  if (typeof name !== "string" || name === "") {
    if (asked.length + extra.length > 0 || uid !== undefined)
      throw new StatusError(
        500,
        "InternalError",
        `Internal error occurred: requested ${JSON.stringify([...asked, ...(uid ? [uid] : [])])} without impersonating a user`,
      );
    return user;
  }
  const account = accountOf(name);
  const group = "authentication.k8s.io";
  const wanted: Attributes[] = [
    account
      ? { verb, group: "", resource: "serviceaccounts", ...account }
      : { verb, group: "", resource: "users", name },
    ...asked.map((one) => ({ verb, group: "", resource: "groups", name: one })),
    ...extra.map(({ key, value }) => ({
      verb,
      group,
      resource: "userextras",
      subresource: key,
      name: value,
    })),
    ...(uid === undefined ? [] : [{ verb, group, resource: "uids", name: uid }]),
  ];
  for (const attributes of wanted)
    if (authorizer.authorize(user, attributes) === undefined) throw denied(user, attributes);
  const implied =
    account && asked.length === 0
      ? ["system:serviceaccounts", `system:serviceaccounts:${account.namespace}`]
      : [];
  const authenticated = name === "system:anonymous" ? [] : ["system:authenticated"];
  return { name, uid: uid ?? "", groups: [...new Set([...asked, ...implied, ...authenticated])] };
}
