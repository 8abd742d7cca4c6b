import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { terminal } from "@microremed/core";
import type { Context } from "../context.ts";
import { readGatewayFile } from "./gateway-file.ts";
import { tokenFiles } from "./local-tokens.ts";

/** Where a gateway is, and a token for it. */
export interface GatewayAccess {
  readonly url: string;
  readonly token: string;
}

const usualDirectory = ".microremed";

/**
 * The gateway of MICROREMED_URL with MICROREMED_TOKEN, else that of the range that runs in this folder (`directory`), whose tokens are for its own
 * address alone; undefined: there is none. Throws `invalid-config` where an address has no token, or a token no address.
 */
export async function findGateway(
  { env }: Pick<Context, "env">,
  scope: keyof typeof tokenFiles,
  directory = usualDirectory,
): Promise<GatewayAccess | undefined> {
  const { MICROREMED_URL: url, MICROREMED_TOKEN: token } = env;
  if (url && token) return { url, token };
  const local = await localGateway(scope, directory);
  if (token)
    throw terminal(
      "invalid-config",
      "MICROREMED_TOKEN is set and MICROREMED_URL is not: say which gateway the token is for, or unset it",
    );
  if (!url || (local && isSame(url, local.url))) return local;
  const here = local ? `; the range in this folder is at ${local.url}` : "";
  throw terminal(
    "invalid-config",
    `MICROREMED_URL is ${url.slice(0, 200)}, and MICROREMED_TOKEN is not set: export a token of that gateway (microremed tokens create), or unset MICROREMED_URL${here}`,
  );
}

async function localGateway(
  scope: keyof typeof tokenFiles,
  directory: string,
): Promise<GatewayAccess | undefined> {
  const local = readGatewayFile(directory);
  if (!local) return undefined;
  const text = await readFile(join(directory, tokenFiles[scope]), "utf8").catch(() => undefined);
  return text === undefined ? undefined : { url: local.url, token: text.trim() };
}

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether two addresses are the same server's; all names of this machine's loopback are. */
function isSame(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => URL.parse(text));
  if (!one || !other || one.protocol !== other.protocol || one.port !== other.port) return false;
  return one.hostname === other.hostname || [one, other].every(({ hostname }) => loopback.has(hostname));
}
