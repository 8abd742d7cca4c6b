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

const directory = ".microremed";

/**
 * The gateway of MICROREMED_URL with MICROREMED_TOKEN, else that of the range that runs in this directory; undefined: there is none.
 * Throws `invalid-config` when only one of the variables is set.
 */
export async function findGateway(
  { env }: Pick<Context, "env">,
  scope: keyof typeof tokenFiles,
): Promise<GatewayAccess | undefined> {
  const { MICROREMED_URL: url, MICROREMED_TOKEN: token } = env;
  if (url && token) return { url, token };
  if (url || token)
    throw terminal("invalid-config", "MICROREMED_URL and MICROREMED_TOKEN go together; set both, or none");
  const local = readGatewayFile(directory);
  if (!local) return undefined;
  const text = await readFile(join(directory, tokenFiles[scope]), "utf8").catch(() => undefined);
  return text === undefined ? undefined : { url: local.url, token: text.trim() };
}
