import type { TokenRecord, TokenScope } from "@microremed/contracts";
import { AppError, terminal } from "@microremed/core";
import { readToken, type State } from "@microremed/state";

/** Who may call a route; `anyone`: without a token. */
export type Access = readonly TokenScope[] | "anyone";

const form = "send it as `Authorization: Bearer mr_...` (see `microremed tokens create`)";

/** The token of a request, counted. Throws `unauthorized` and `too-many-requests`. */
export async function tokenOf(
  header: string | undefined,
  tokens: Pick<State["tokens"], "use">,
): Promise<TokenRecord> {
  const shown = readToken(/^Bearer +(\S+)$/i.exec(header ?? "")?.[1] ?? "");
  if (shown === undefined) throw terminal("unauthorized", `${unreadable(header)}; ${form}`);
  const used = await tokens.use(shown.id, shown.secretHash);
  if (used.status === "unknown")
    throw terminal(
      "unauthorized",
      "the token is not known here: it was revoked, or has expired, or is another range's",
    );
  if (used.status === "too-many") throw tooMany(used.token, used.waitMs);
  return used.token;
}

/** What is wrong with a header that shows no token; nothing of it is repeated, as it may be a secret. */
function unreadable(header: string | undefined): string {
  if (header === undefined) return "the request has no token: the header Authorization is missing";
  const [scheme = "", ...rest] = header.trim().split(/ +/);
  if (scheme.toLowerCase() !== "bearer") return "the header Authorization does not begin with `Bearer `";
  if (rest.length === 0)
    return "the header Authorization has nothing after `Bearer `: is the variable empty?";
  if (rest.length > 1) return "the header Authorization has more than one word after `Bearer `";
  return "what the header Authorization has after `Bearer ` is no token of a range: it may be cut off, or in quotes";
}

/** Throws `forbidden` for a token that does not open a route. */
export function assertOpens({ scope }: TokenRecord, access: readonly TokenScope[]): void {
  if (access.includes(scope)) return;
  throw terminal(
    "forbidden",
    `a token of the scope ${scope} may not do this; it takes one of the scope ${access.join(" or ")}`,
  );
}

function tooMany({ id, requestsPerMinute }: TokenRecord, waitMs: number): AppError {
  const message = `the token makes more than ${requestsPerMinute} requests a minute; wait ${Math.ceil(waitMs / 1000)} s`;
  return new AppError("too-many-requests", message, {
    ...{ severity: "retryable", retryAfterMs: waitMs },
    details: { token_id: id },
  });
}
