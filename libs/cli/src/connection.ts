import { existsSync, readFileSync } from "node:fs";
import { terminal } from "@microremed/core";
import { z } from "zod";
import { type Connection, connectClient, type RangeClient } from "./client.ts";
import type { Context } from "./context.ts";

/** Written by `microremed up`, so that the other verbs find the local stack without any setting. */
export const stackFile = ".microremed/stack.json";

const StackFile = z.object({ natsUrl: z.string(), natsUser: z.string(), natsPassword: z.string() });

/** `NATS_URL` (with `NATS_USER` and `NATS_PASSWORD`), else the local stack of this directory, else `undefined`. */
export function findConnection(env: NodeJS.ProcessEnv): Connection | undefined {
  if (env["NATS_URL"]) {
    return { servers: env["NATS_URL"], user: env["NATS_USER"], password: env["NATS_PASSWORD"] };
  }
  if (!existsSync(stackFile)) return undefined;
  const parsed = StackFile.safeParse(JSON.parse(readFileSync(stackFile, "utf8")));
  if (!parsed.success) return undefined;
  return { servers: parsed.data.natsUrl, user: parsed.data.natsUser, password: parsed.data.natsPassword };
}

/** A client of the running range. Throws `bus-unreachable` when there is none to be found. */
export async function openClient(context: Context): Promise<RangeClient> {
  const connection = findConnection(context.env);
  if (!connection) {
    throw terminal(
      "bus-unreachable",
      "no range is known here: set NATS_URL (and NATS_USER, NATS_PASSWORD), or start one with `microremed up`",
    );
  }
  return connectClient(connection, context.log);
}
