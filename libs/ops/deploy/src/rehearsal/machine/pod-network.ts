import { pathWithSbin, whenOrphaned } from "@microremed/servers";
import { execa } from "execa";
import { parseSockets, type Sockets } from "./sockets.ts";

/** A network of pods on this machine. */
export interface PodNetwork extends AsyncDisposable {
  /** Where pods find this machine: servers outside of the manifests listen here. */
  readonly gateway: string;
  /** Whether each pod has a network stack of its own; else they share this machine's loopback. */
  readonly isolated: boolean;
  /** An address for the n-th pod (from 1) of a site (0 to 14). */
  address(site: number, pod: number): string;
  /** Gives an address to a pod. */
  attach(ip: string): Promise<PodLink>;
}

/** A pod's place in the network. */
export interface PodLink extends AsyncDisposable {
  /** The words before a program's own that start it there. */
  readonly enter: readonly string[];
  /** What is connected now; empty in a network that is not isolated. */
  sockets(): Promise<Sockets>;
}

const withinMs = 10_000;
const env = { PATH: pathWithSbin };
const mostNetworks = 16;

/**
 * With root a bridge of virtual Ethernet, where each pod has a network namespace (198.18.0.0/15 is set aside for such);
 * without, addresses of the loopback. It goes away with this process, however that ends.
 */
export async function createPodNetwork(): Promise<PodNetwork> {
  const isPossible = process.getuid?.() === 0 && (await ip(["link"])) && (await has("nsenter"));
  return isPossible ? createBridge() : loopback;
}

const loopback: PodNetwork = {
  gateway: "127.0.0.1",
  isolated: false,
  address: (site, pod) => `127.${77 + site}.0.${pod}`,
  attach: async () => ({
    enter: [],
    sockets: async () => ({ listening: [], connections: [] }),
    [Symbol.asyncDispose]: async () => undefined,
  }),
  [Symbol.asyncDispose]: async () => undefined,
};

async function createBridge(): Promise<PodNetwork> {
  const block = await firstFree(0);
  const bridge = `mrr${block}`;
  const guard = whenOrphaned(removeBridge, [bridge]);
  const address = (site: number, pod: number): string => `198.18.${block * mostNetworks + site}.${pod}`;
  const gateway = address(15, 254);
  await mustIp(["addr", "add", `${gateway}/20`, "dev", bridge]);
  await mustIp(["link", "set", bridge, "up"]);
  let links = 0;
  return {
    gateway,
    isolated: true,
    address,
    attach: (podIp) => {
      links += 1;
      return attachTo(bridge, `${bridge}-${links}`, podIp);
    },
    [Symbol.asyncDispose]: async () => {
      guard.release();
      await execa("sh", ["-c", removeBridge, "sh", bridge], { reject: false, timeout: withinMs });
    },
  };
}

/** Making a bridge is how to claim its name, and with it its addresses. */
async function firstFree(block: number): Promise<number> {
  if (await ip(["link", "add", `mrr${block}`, "type", "bridge"])) return block;
  if (block + 1 < mostNetworks) return firstFree(block + 1);
  return mustIp(["link", "add", `mrr${block}`, "type", "bridge"]).then(() => block);
}

async function attachTo(bridge: string, name: string, podIp: string): Promise<PodLink> {
  await mustIp(["netns", "add", name]);
  const peer = ["peer", "name", "eth0", "netns", name];
  await mustIp(["link", "add", name, "type", "veth", ...peer]);
  await mustIp(["link", "set", name, "master", bridge, "up"]);
  await mustIp(["-n", name, "addr", "add", `${podIp}/20`, "dev", "eth0"]);
  for (const device of ["lo", "eth0"]) await mustIp(["-n", name, "link", "set", device, "up"]);
  const enter = ["nsenter", `--net=/run/netns/${name}`];
  let isThere = true;
  return {
    enter,
    sockets: async () => {
      if (!isThere) return { listening: [], connections: [] };
      const [program = "", ...args] = [...enter, "cat", "/proc/net/tcp", "/proc/net/tcp6"];
      // Without IPv6 there is one table only.
      const { stdout } = await execa(program, args, { timeout: withinMs, reject: false });
      return parseSockets(stdout);
    },
    [Symbol.asyncDispose]: async () => {
      isThere = false;
      // A namespace takes its end along, but not at once.
      await ip(["link", "del", name]);
      await ip(["netns", "del", name]);
    },
  };
}

const removeBridge = `PATH=$PATH:/usr/sbin:/sbin
for one in $(ip netns list | cut -d ' ' -f 1 | grep "^$1-"); do ip link del "$one"; ip netns del "$one"; done
ip link del "$1"`;

const ip = async (args: readonly string[]): Promise<boolean> =>
  (await execa("ip", args, { env, reject: false, timeout: withinMs })).exitCode === 0;

async function mustIp(args: readonly string[]): Promise<void> {
  await execa("ip", args, { env, timeout: withinMs });
}

const has = async (program: string): Promise<boolean> =>
  (await execa(program, ["--version"], { reject: false, timeout: withinMs })).exitCode === 0;
