/** One end of a TCP connection. */
export interface SocketAddress {
  readonly ip: string;
  readonly port: number;
}

/** The TCP sockets of a network stack. */
export interface Sockets {
  /** `0.0.0.0`: on all addresses, of IPv6 too. */
  readonly listening: readonly SocketAddress[];
  /** Connections that are being opened, stand, or were closed within the last minute. */
  readonly connections: readonly { readonly local: SocketAddress; readonly remote: SocketAddress }[];
}

const listen = "0A";

/** Reads /proc/net/tcp and tcp6, one after the other. */
export function parseSockets(text: string): Sockets {
  const listening: SocketAddress[] = [];
  const connections: { local: SocketAddress; remote: SocketAddress }[] = [];
  for (const line of text.split("\n")) {
    const [, local, remote, state] = /^\s*\d+: (\S+) (\S+) ([0-9A-F]{2}) /.exec(line) ?? [];
    if (local === undefined || remote === undefined) continue;
    if (state === listen) listening.push(addressOf(local));
    else connections.push({ local: addressOf(local), remote: addressOf(remote) });
  }
  return { listening, connections };
}

/** `0100007F:1F90`: an address as the machine's (little-endian) words, and a port. Of tcp6 only mapped IPv4 addresses. */
function addressOf(text: string): SocketAddress {
  const [words = "", port = ""] = text.split(":");
  const bytes = words.slice(-8).match(/../g) ?? [];
  return {
    ip: bytes
      .reverse()
      .map((byte) => Number.parseInt(byte, 16))
      .join("."),
    port: Number.parseInt(port, 16),
  };
}
