import type { Behaviour, CallSpec } from "@microremed/environments";
import type { CorednsState } from "./coredns-server.ts";
import type { StoreClient } from "./datastore-mark.ts";
import type { FileTree } from "./file-tree.ts";
import type { FlagdState } from "./flagd-server.ts";
import type { KafkaState } from "./kafka-server.ts";
import type { MongoSettings } from "./mongo-server.ts";
import type { MysqlSettings } from "./mysql-server.ts";
import type { PolicyServerState } from "./policy-server.ts";
import type { PostgresMemory } from "./postgres-server.ts";
import type { RedisState } from "./redis-server.ts";
import type { ResolverConfig } from "./resolv-conf.ts";
import type { Terminal } from "./terminal.ts";

/**
 * What runs on the nodes: the kubelet makes and removes sandboxes and containers, Chaos Mesh puts stressors, network
 * emulation and slow disks on them, physics moves their numbers, shells and metrics read them. Mutable on purpose: it
 * is the machine, not the API.
 */
export interface Process {
  readonly pid: number;
  readonly command: string;
  readonly kind: "main" | "cpu-stressor" | "memory-stressor" | "io-injector" | "exec";
  readonly user: string;
  /** Cluster time, ms. */
  readonly startedAt: number;
  /** Cores it would use if nothing held it back. */
  cpuDemand: number;
  memoryBytes: number;
  /** Name of what owns it (a chaos object's uid), so that its owner can find it again. */
  readonly owner?: string;
  /** A signal has stopped it: the cores that it wants again when it goes on. */
  stoppedDemand?: number;
  /** Its parent has ended, so that PID 1 is its parent; else it came from outside of the container. */
  readonly orphaned?: boolean;
}

/** tc netem on eth0, egress only. */
export interface Netem {
  readonly owner: string;
  /** Added to every packet that leaves, ms. */
  readonly delayMs: number;
  readonly jitterMs: number;
  /** Chances per packet, 0..1: of being lost, corrupted, sent twice. */
  readonly loss: number;
  readonly corrupt: number;
  readonly duplicate: number;
  /** Bytes per second; undefined: not limited. */
  readonly rate?: number;
  /** Only packets to these pod IPs; undefined: all. */
  readonly toPodIps?: readonly string[];
}

/** iptables DROP, by direction and peer. */
export interface PacketDrop {
  readonly owner: string;
  readonly direction: "in" | "out";
  readonly peerPodIps?: readonly string[];
}

/** A FUSE layer over one mount of one container. */
export interface IoFault {
  readonly owner: string;
  readonly volumePath: string;
  /** Glob over the full path in the container; undefined: all. */
  readonly path?: string;
  readonly methods?: readonly string[];
  /** 0..100, chance per call. */
  readonly percent: number;
  readonly delayMs: number;
  readonly errno?: number;
}

/** A rule of a transparent proxy in front of one port of a pod. */
export interface HttpFault {
  readonly target: "Request" | "Response";
  readonly port: number;
  /** `*` matches any text; undefined: every path. */
  readonly path?: string;
  readonly method?: string;
  /** Only answers with this status. */
  readonly code?: number;
  readonly abort: boolean;
  readonly delayMs: number;
  readonly replaceCode?: number;
  readonly replacePath?: string;
}

/** One line of a container's log. `at`: cluster time, ms since the epoch. */
export interface LogLine {
  readonly at: number;
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

/** Moved by physics once a tick. */
export interface ContainerUsage {
  /** Cores in use, averaged over the last tick. */
  cpu: number;
  /** Core-seconds since the container started. */
  cpuTotal: number;
  /** Share of the last tick in which its tasks wanted to run and the quota was used up, 0..1. */
  throttled: number;
  throttledSecondsTotal: number;
  /** Enforcement periods of 100 ms in which something ran under a quota, since the container started. */
  periodsTotal: number;
  /** Those of them in which the quota ran out. */
  throttledPeriodsTotal: number;
  /** Working set, bytes. */
  memory: number;
}

/** One container as it runs: what its spec asks for, its processes and files, and its state in the simulation. */
export interface ContainerRuntime {
  /** containerd://<64 hex> without the scheme. */
  readonly id: string;
  readonly name: string;
  readonly image: string;
  readonly init: boolean;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** How the image's program behaves; undefined: an image that just runs its command (e.g. sleep). */
  readonly behaviour: Behaviour | undefined;
  /** Where alone its program listens; undefined: on all of the pod's addresses. */
  readonly boundTo?: "pod" | "localhost" | undefined;
  /** Nothing but its image, its command, its ports and its probes says how its program behaves. */
  readonly isImplied?: true;
  /** It is of a Job: a program of which nothing is known does its work and ends well. */
  readonly isTask?: true;
  /** Programs that its image is known to have beside the usual ones; undefined: nothing is known of the image. */
  readonly ownPrograms?: readonly string[] | undefined;
  /** It waits for an answer without which it does not start, or its script has not come to its server yet. */
  isDialling?: boolean;
  /** Its gRPC health checks say that it does not serve. */
  isUnwell?: boolean;
  /** It has its ports; of two that want the same the first keeps it. */
  isListening?: boolean;
  /** Cores; 0: none is set. */
  cpuRequest: number;
  /** Capabilities added by its securityContext, e.g. NET_ADMIN. */
  readonly capabilities?: readonly string[];
  /** Cores; undefined: no limit. CFS enforces at least 0.01. */
  cpuLimit: number | undefined;
  /** Bytes; 0: none is set. */
  memoryRequest: number;
  /** Bytes; undefined: no limit. */
  memoryLimit: number | undefined;
  /** Cluster time, ms. */
  readonly startedAt: number;
  /** Core-seconds of start-up work left; at 0 the program listens. */
  startupLeft: number;
  readonly processes: Process[];
  readonly usage: ContainerUsage;
  /** Mount path -> name of the pod's volume. */
  readonly mounts: ReadonlyMap<string, string>;
  /** Mount path -> file or folder of the volume that is mounted there; absent: the whole volume. */
  readonly subPaths?: ReadonlyMap<string, string>;
  /** Files of its own writable layer: lost when it is replaced. */
  readonly files: FileTree;
  readonly ioFaults: IoFault[];
  /** A proxy that runs in this container's process namespace and sees what comes into the pod. */
  readonly httpFaults: HttpFault[];
  /** How far the clock of its main process is off. */
  clockShift?: { readonly owner: string; readonly ms: number };
  /** What it has printed so far; where there is `printUntil`, up to the last time that was called. */
  readonly logs: LogLine[];
  /** Name of the container whose processes it shares, or all of its pod's (`wholePod`); undefined: it has its own. */
  readonly pidsOf?: string | undefined;
  /** Its open stdin; undefined: it has none. */
  readonly terminal?: Terminal | undefined;
  /** Lets its main process print what it would have printed until a cluster time, ms: it does not run before. */
  printUntil?: (now: number) => Promise<void>;
  /** What the datastore, the broker, the flagd, the CoreDNS or the policy-server in it holds in memory; undefined: no client has asked it yet, or it is none. Never changed, replaced. */
  datastore?:
    | MysqlSettings
    | RedisState
    | MongoSettings
    | FlagdState
    | KafkaState
    | CorednsState
    | PolicyServerState
    | PostgresMemory;
  /** Connections that programs of the system hold to the datastore in it, set by physics. */
  storeClients?: readonly StoreClient[];
  /** Set by physics when the kernel killed the container (OOM group kill); the kubelet acts on it and restarts. */
  oomKilled: boolean;
}

/** A pod's /etc/hosts. */
export interface HostsFile {
  readonly text: string;
  /** IPv4 address of each name. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** One pod on its node: its address, its containers, and what faults do to its network. */
export interface PodSandbox {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly ip: string;
  /** What its containers call their host: its name, or with `setHostnameAsFQDN` the name and `domain`. */
  readonly hostname: string;
  /** Where the host's name is a name of the cluster's DNS; undefined: nowhere. */
  readonly domain?: string;
  readonly hostNetwork: boolean;
  readonly nodeName: string;
  labels: Readonly<Record<string, string>>;
  /** Running containers by name (a restart replaces the entry). */
  readonly containers: Map<string, ContainerRuntime>;
  /** Its pod has ended for good: it has no network any more. */
  isDown?: boolean;
  /** The last container of each name that has ended, however short it ran. */
  ended?: Map<string, ContainerRuntime>;
  /** Files of the pod's volumes, by volume name; they outlive container restarts. */
  readonly volumes: Map<string, FileTree>;
  readonly netem: Netem[];
  readonly drops: PacketDrop[];
  /** /etc/hosts of all its containers; undefined: none has started yet. */
  hosts?: HostsFile;
  /** What its resolver asks; undefined: the cluster's name server, as pods do by default. */
  readonly resolver?: ResolverConfig;
  /** resolv.conf names the chaos DNS server, which answers as usual once it has no fault for the pod. */
  asksChaosDns?: boolean;
  /** What the chaos DNS server does to the pod. */
  dnsFault?: {
    readonly owner: string;
    readonly action: "error" | "random";
    readonly patterns: readonly string[];
  };
}

/** All sandboxes of a cluster, by pod uid. */
export interface Machine {
  readonly sandboxes: Map<string, PodSandbox>;
  byIp(ip: string): PodSandbox | undefined;
  /** The pods in the network of the node that has the address. */
  onHost(ip: string): Iterable<PodSandbox>;
  byPod(namespace: string, name: string): PodSandbox | undefined;
}

/** What came of one network or exec attempt made inside the simulation. `elapsedMs` is cluster time. */
export interface Attempted {
  readonly ok: boolean;
  readonly elapsedMs: number;
  /** Until the TCP connection was there; undefined: there was none, or it was all that was tried. */
  readonly connectedMs?: number;
  /** Empty when ok; else in the words of the client that tried, e.g. `connection refused`. */
  readonly error: string;
  /** HTTP status, when one came back. */
  readonly status?: number;
  /** What was answered, where it is known; undefined: what such programs say. */
  readonly body?: string;
  /** Who took a TCP connection; undefined: no program of this cluster. */
  readonly by?: { readonly sandbox: PodSandbox; readonly container: ContainerRuntime };
}

/**
 * What physics offers to kubelet, shell and chaos: single requests through the simulated network. They only compute;
 * the caller waits `elapsedMs` on the event loop if it must. `from` is a pod's sandbox or "node" (kubelet, host).
 */
export interface Network {
  tcpConnect(from: PodSandbox | "node", host: string, port: number, timeoutMs: number): Attempted;
  httpGet(from: PodSandbox | "node", host: string, port: number, path: string, timeoutMs: number): Attempted;
  /** One ICMP echo. */
  ping(from: PodSandbox | "node", host: string, timeoutMs: number): Attempted;
  /** Service name, FQDN, pod DNS name or address -> addresses; empty: NXDOMAIN. */
  resolve(from: PodSandbox | "node", host: string): readonly string[];
  /** The calls without which a container's program does not start, one after the other; undefined: it makes none. */
  dialAtStart(container: ContainerRuntime, sandbox: PodSandbox, timeoutMs: number): Attempted | undefined;
  /** The calls that a Job's program makes in a run, in their order, each as often as it is made. */
  callsOfJob(container: ContainerRuntime): readonly CallSpec[];
  /** Makes one of them, without further tries. */
  callOfJob(container: ContainerRuntime, sandbox: PodSandbox, call: CallSpec): Attempted;
  /** A grpc_health_probe-like exec probe or other command whose cost is CPU in the container's own cgroup. */
  execProbe(
    container: ContainerRuntime,
    sandbox: PodSandbox,
    command: readonly string[],
    timeoutMs: number,
  ): Attempted;
}
