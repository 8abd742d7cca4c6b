/** A condition on one argument of a system call. Only its low 32 bits count, as for the kernel in all calls checked here. */
export interface ArgumentCheck {
  /** Index of the argument, from 0. */
  readonly arg: number;
  /** Only these bits are compared. Default: all 32. */
  readonly mask?: number;
  /** Either the only values that pass, or the values that do not. */
  readonly values: readonly number[];
  readonly passing: boolean;
  /** The check is made only if this other argument has this value. */
  readonly where?: { readonly arg: number; readonly is: number };
  /** The error that the caller gets. */
  readonly errno: number;
}

const EPERM = 1;
const EPROTONOSUPPORT = 93;
const EAFNOSUPPORT = 97;

const only = (arg: number, values: readonly number[], errno: number, mask?: number): ArgumentCheck => ({
  arg,
  values,
  passing: true,
  errno,
  ...(mask !== undefined && { mask }),
});
const never = (arg: number, values: readonly number[], rest: Partial<ArgumentCheck> = {}): ArgumentCheck => ({
  arg,
  values,
  passing: false,
  errno: EPERM,
  ...rest,
});

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const newNamespaces = 0x7e02_0000;
const [AF_UNIX, AF_INET, AF_INET6] = [1, 2, 10];
const [SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET] = [1, 2, 5];
/** Without SOCK_NONBLOCK and SOCK_CLOEXEC. */
const typeOfSocket = 0xf;
const [ANY_PROTOCOL, TCP, UDP] = [0, 6, 17];
/** Characters put into a terminal's input, and its console's commands. */
const [TIOCSTI, TIOCLINUX] = [0x5412, 0x541c];
const SOL_SOCKET = 1;
/** SO_ATTACH_FILTER, SO_ATTACH_BPF, SO_ATTACH_REUSEPORT_CBPF and _EBPF. */
const programsOfSockets = [26, 50, 51, 52];
/** MAP_SHARED and MAP_ANONYMOUS together: memory of no process and no file, which nothing counts. */
const sharedAnonymous = 0x21;
const [PR_SET_SECCOMP, PR_SET_MM] = [22, 35];

/**
 * What the arguments of a listed call must be. Namespaces are made by `clone` alone: `clone3` has them in memory, where no
 * filter reads, so it is not listed and programs fall back. Sockets are of the file system and of the Internet: AF_VSOCK
 * leaves the network namespace, netlink and the rest reach parts of the kernel that no playbook needs.
 */
export const argumentChecks: Readonly<Record<string, readonly ArgumentCheck[]>> = {
  clone: [only(0, [0], EPERM, newNamespaces)],
  socket: [
    only(0, [AF_UNIX, AF_INET, AF_INET6], EAFNOSUPPORT),
    only(1, [SOCK_STREAM, SOCK_DGRAM], EPROTONOSUPPORT, typeOfSocket),
    only(2, [ANY_PROTOCOL, TCP, UDP], EPROTONOSUPPORT),
  ],
  socketpair: [only(0, [AF_UNIX], EAFNOSUPPORT)],
  setsockopt: [never(2, programsOfSockets, { where: { arg: 1, is: SOL_SOCKET } })],
  ioctl: [never(1, [TIOCSTI, TIOCLINUX])],
  mmap: [never(3, [sharedAnonymous], { mask: sharedAnonymous })],
  personality: [only(0, [0, 0xffff_ffff], EPERM)],
  prctl: [never(0, [PR_SET_SECCOMP, PR_SET_MM])],
};

/**
 * Besides, where folders of the machine are shown: a socket in one of them, now or later, is a way out, since connecting to it writes
 * nothing. Pairs stay, except those of datagrams, which send to any socket.
 */
export const noFileSockets: Readonly<Record<string, readonly ArgumentCheck[]>> = {
  socket: [only(0, [AF_INET, AF_INET6], EAFNOSUPPORT)],
  socketpair: [only(1, [SOCK_STREAM, SOCK_SEQPACKET], EPROTONOSUPPORT, typeOfSocket)],
};
