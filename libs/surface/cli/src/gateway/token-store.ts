import { existsSync, readFileSync } from "node:fs";
import { parseJson, terminal, tlsFilesFrom } from "@microremed/core";
import type { State } from "@microremed/state";
import { connectRedisState } from "@microremed/state/redis";
import { z } from "zod";
import { stackFile } from "../connection.ts";
import type { Context } from "../context.ts";

const StackFile = z.object({ redisUrl: z.string() });

/** The state of a range, with the administrator's rights: REDIS_URL, else the local range of this directory. Throws `invalid-config`. */
export async function openTokenStore({ env, log }: Context): Promise<State> {
  const url = env["REDIS_URL"] || localUrl();
  if (url === undefined)
    throw terminal(
      "invalid-config",
      "no running range found: set REDIS_URL with the password of the user admin, or start one with `microremed up --gateway`",
    );
  const tls = tlsFilesFrom("REDIS", env);
  return await connectRedisState({ url, log, ...(tls && { tls }) });
}

function localUrl(): string | undefined {
  if (!existsSync(stackFile)) return undefined;
  return StackFile.safeParse(parseJson(readFileSync(stackFile, "utf8"))).data?.redisUrl;
}
