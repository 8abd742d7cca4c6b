import { terminal } from "@microremed/core";

/** What a gateway knows of the pages that may call it. */
export interface Origins {
  /** `https://host[:port]` of other pages. */
  readonly allowed: readonly string[];
  /** Its own names, without a port. */
  readonly hosts: readonly string[];
}

/** A machine's own names. */
export const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"] as const;

/**
 * Refuses the script of a strange web page. Browsers name the page that asks; programs name none. That the page's host is the
 * request's own is not enough: a stranger's name may resolve to this address. Throws `forbidden`.
 */
export function checkOrigin(
  { origin, host }: { readonly origin?: string | undefined; readonly host?: string | undefined },
  { allowed, hosts }: Origins,
): void {
  if (origin === undefined || allowed.includes(origin)) return;
  const page = URL.canParse(origin) ? new URL(origin) : undefined;
  if (page?.host === host && hosts.includes(page?.hostname ?? "")) return;
  throw terminal(
    "forbidden",
    `pages of ${JSON.stringify(origin.slice(0, 200))} may not call this range; GATEWAY_ORIGINS names those that may`,
  );
}
