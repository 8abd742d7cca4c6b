import { existsSync, readFileSync } from "node:fs";
import { terminal, tlsFilesFrom } from "@microremed/core";
import type { RangeClient } from "@microremed/range-client";
import { z } from "zod";
import { type Connection, connectClient } from "./client.ts";
import type { Context } from "./context.ts";
import { readGatewayFile } from "./gateway/gateway-file.ts";

/** Written by `microremed up`, so that the other verbs find the local stack without any setting. */
export const stackFile = ".microremed/stack.json";
const stackDirectory = ".microremed";

const StackFile = z.object({ natsUrl: z.string(), natsPasswords: z.record(z.string(), z.string()) });

/** The user to connect as; the local stack's file has the passwords of all users. */
export type Role = "client" | "admin";

/** `NATS_URL` (with `NATS_USER` and `NATS_PASSWORD`), else the local stack of this directory, else `undefined`. */
export function findConnection(env: NodeJS.ProcessEnv, role: Role = "client"): Connection | undefined {
  if (env["NATS_URL"]) {
    const tls = tlsFilesFrom("NATS", env);
    return {
      servers: env["NATS_URL"],
      user: env["NATS_USER"],
      password: env["NATS_PASSWORD"],
      ...(tls && { tls }),
    };
  }
  if (!existsSync(stackFile)) return undefined;
  const parsed = StackFile.safeParse(JSON.parse(readFileSync(stackFile, "utf8")));
  if (!parsed.success) return undefined;
  return { servers: parsed.data.natsUrl, user: role, password: parsed.data.natsPasswords[role] };
}

/**
 * A client of the running range. Throws `bus-unreachable` when there is none. `source`: what is taken for an id because no
 * file has that name; absent: nothing.
 */
export async function openClient(
  context: Context,
  role: Role = "client",
  source?: string,
): Promise<RangeClient> {
  const connection = findConnection(context.env, role);
  if (!connection) {
    const gateway = readGatewayFile(stackDirectory);
    if (gateway)
      throw terminal(
        "bus-unreachable",
        `the range that runs in this directory is in one process, which only its gateway reaches: ${gateway.url}/docs says what it can be asked; \`microremed up\` without --range in-process can be reached by every command`,
      );
    const noFile =
      source === undefined
        ? ""
        : `${JSON.stringify(source)} is taken for the id of an experiment or episode, and `;
    throw terminal(
      "bus-unreachable",
      `${noFile}no running range found: set NATS_URL (and NATS_USER, NATS_PASSWORD), or start one with \`microremed up\``,
    );
  }
  return connectClient(connection, context.log);
}
