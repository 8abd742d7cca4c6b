/**
 * The first program in a sandbox with a network of its own: listens where the API server seems to be, hands the
 * listening socket out to the harness, and becomes the program that it was started for. So nothing of ours stays
 * inside, neither a process nor a descriptor, and the harness takes the connections from outside.
 *
 * The channel is Node's own for child processes (NODE_CHANNEL_FD); the message is the one with which a Node process
 * hands over a server. `-I -S` and the built-in `_socket` keep Python's start at about 10 ms.
 */
const door = `import os, sys, _socket as s
c = s.socket(fileno=int(os.environ.pop("NODE_CHANNEL_FD")))
os.environ.pop("NODE_CHANNEL_SERIALIZATION_MODE", None)
d = s.socket()
d.bind(("127.0.0.1", int(sys.argv[1])))
d.listen(64)
m = b'{"cmd":"NODE_HANDLE","type":"net.Server","msg":"api"}\\n'
c.sendmsg([m], [(s.SOL_SOCKET, s.SCM_RIGHTS, d.fileno().to_bytes(4, sys.byteorder))])
os.closerange(3, 65536)
os.execv(sys.argv[2], sys.argv[2:])
`;

/** Argument list that opens the door at a port and then starts a program. */
export function throughDoor(port: number, argv: readonly string[]): string[] {
  return ["/usr/bin/python3", "-I", "-S", "-c", door, String(port), ...argv];
}
