import type { Bus } from "@microremed/bus";
import { connectNatsBus } from "@microremed/bus/nats";
import type { Logger, TlsFiles } from "@microremed/core";
import { createRangeClient, type RangeClient } from "@microremed/range-client";

export interface Connection {
  readonly servers: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly tls?: TlsFiles;
}

/** Connects to a range's NATS. Throws `bus-unreachable` when no server answers there. */
export function connectTo({ servers, user, password, tls }: Connection, log: Logger): Promise<Bus> {
  return connectNatsBus({
    servers,
    name: "microremed-cli",
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(tls && { tls }),
    log,
  });
}

/** A client of a range; throws as `connectTo`. */
export async function connectClient(connection: Connection, log: Logger): Promise<RangeClient> {
  return createRangeClient(await connectTo(connection, log));
}
