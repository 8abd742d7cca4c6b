import type { Server } from "node:net";

/** Of all connections, those that one address may have. */
const share = 1 / 4;

/**
 * Closes connections beyond the most that may be open. `byAddress`: also those beyond the share of one address, so that one
 * caller cannot take the places of all; behind a proxy all come from the proxy's address.
 */
export function limitConnections(
  server: Server,
  { most, byAddress }: { readonly most: number; readonly byAddress: boolean },
): void {
  server.maxConnections = most;
  if (!byAddress) return;
  const mostOfOne = Math.max(1, Math.floor(most * share));
  const open = new Map<string, number>();
  server.on("connection", (socket) => {
    const { remoteAddress: address } = socket;
    if (address === undefined) return;
    const count = (open.get(address) ?? 0) + 1;
    if (count > mostOfOne) return void socket.destroy();
    open.set(address, count);
    socket.once("close", () => {
      const left = (open.get(address) ?? 0) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}
