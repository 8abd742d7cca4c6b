import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { retryable, waitFor, wallClock } from "@microremed/core";
import { dump } from "js-yaml";
import { dnsAddress } from "./control-plane.ts";
import { pauseImage } from "./images.ts";
import type { Machine } from "./machine.ts";
import { ociRuntime } from "./oci-runtime.ts";
import type { Pki } from "./pki.ts";

export interface NodeOptions {
  readonly machine: Machine;
  readonly pki: Pki;
  /** Folder of Kubernetes' programs. */
  readonly kubernetes: string;
  readonly dir: string;
  /** Addresses of its pods, for example 10.244.1.0/24. */
  readonly podRange: string;
  /** The parent of its pods' control groups. */
  readonly controlGroup: string;
  /** Where all images come from. */
  readonly registry: string;
}

/** Addresses of all nodes' pods. */
const podRanges = "10.244.0.0/16";
const readyWithinMs = 120_000;

/** Makes a machine a node: containerd, a bridge for pods, a kubelet and kube-proxy. */
export async function startNode(options: NodeOptions): Promise<void> {
  const { machine, pki, kubernetes, dir } = options;
  await pki.addNode(machine.name, machine.address);
  await writeConfigs(options);
  const socket = join(dir, "containerd.sock");
  await machine.start("containerd", ["containerd", "--config", join(dir, "containerd.toml")]);
  const ctr = (...args: string[]) => machine.run(["ctr", "--address", socket, "-n", "k8s.io", ...args]);
  const wait = { clock: wallClock, what: "containerd's answer", timeoutMs: readyWithinMs, intervalMs: 200 };
  const answer = async (): Promise<string | undefined> => {
    const ended = await machine.endedDaemons();
    if (ended !== undefined) throw retryable("internal", ended);
    return ctr("version").catch(() => undefined);
  };
  await waitFor(wait, answer);
  await machine.run(["sysctl", "-qw", "net.ipv4.ip_forward=1"]);
  // Pods are known by their own addresses to one another, also on other nodes; anyone else knows only their node.
  const outside = ["-s", options.podRange, "!", "-d", podRanges, "-j", "MASQUERADE"];
  await machine.run(["iptables", "-w", "-t", "nat", "-A", "POSTROUTING", ...outside]);
  await machine.start("kubelet", [
    join(kubernetes, "kubelet"),
    `--config=${join(dir, "kubelet.yaml")}`,
    `--kubeconfig=${pki.kubeconfig(`node-${machine.name}`)}`,
    `--hostname-override=${machine.name}`,
    `--node-ip=${machine.address}`,
    `--root-dir=${join(dir, "kubelet")}`,
    `--cert-dir=${join(dir, "kubelet-certificates")}`,
  ]);
  await machine.start("kube-proxy", [join(kubernetes, "kube-proxy"), `--config=${join(dir, "proxy.yaml")}`]);
}

async function writeConfigs({
  machine,
  pki,
  dir,
  podRange,
  registry,
  controlGroup,
}: NodeOptions): Promise<void> {
  const cni = join(dir, "cni-config");
  await mkdir(cni, { recursive: true });
  const write = (name: string, text: string): Promise<void> =>
    writeFile(join(dir, name), text, { mode: 0o600 });
  const mirrors = join(dir, "registries");
  await mkdir(join(mirrors, "_default"), { recursive: true });
  await write("registries/_default/hosts.toml", mirrorConfig(registry));
  await write("containerd.toml", containerdConfig({ dir, cni, mirrors, runtime: await ociRuntime() }));
  await write("cni-config/10-bridge.conflist", JSON.stringify(networkConfig(podRange)));
  await write("kubelet.yaml", dump(kubeletConfig(machine, pki, dir, controlGroup)));
  await write("proxy.yaml", dump(proxyConfig(machine, pki)));
  await write("resolv.conf", "nameserver 127.0.0.1\n");
}

const mirrorConfig = (registry: string): string => `server = "${registry}"
[host."${registry}"]
  capabilities = ["pull", "resolve"]
`;

interface Places {
  readonly dir: string;
  readonly cni: string;
  readonly mirrors: string;
  readonly runtime: string;
}

function containerdConfig({ dir, cni, mirrors, runtime }: Places): string {
  return `version = 2
root = "${join(dir, "containerd")}"
state = "/run/containerd"
oom_score = 0
[grpc]
  address = "${join(dir, "containerd.sock")}"
[plugins."io.containerd.internal.v1.opt"]
  path = "${join(dir, "containerd-opt")}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  # The runtime may not lower the score without CAP_SYS_RESOURCE.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      BinaryName = "${runtime}"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${cni}"
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "${mirrors}"
`;
}

function networkConfig(podRange: string) {
  return {
    cniVersion: "1.0.0",
    name: "pods",
    plugins: [
      {
        type: "bridge",
        bridge: "cni0",
        isGateway: true,
        ipMasq: false,
        hairpinMode: true,
        ipam: { type: "host-local", ranges: [[{ subnet: podRange }]], routes: [{ dst: "0.0.0.0/0" }] },
      },
      { type: "portmap", capabilities: { portMappings: true } },
    ],
  };
}

function kubeletConfig(machine: Machine, { file }: Pki, dir: string, controlGroup: string) {
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: file("ca.crt") },
    },
    authorization: { mode: "Webhook" },
    tlsCertFile: file(`kubelet-${machine.name}.crt`),
    tlsPrivateKeyFile: file(`kubelet-${machine.name}.key`),
    containerRuntimeEndpoint: `unix://${join(dir, "containerd.sock")}`,
    cgroupDriver: "cgroupfs",
    cgroupRoot: `/${controlGroup}`,
    enforceNodeAllocatable: [],
    failSwapOn: false,
    failCgroupV1: false,
    clusterDNS: [dnsAddress],
    clusterDomain: "cluster.local",
    resolvConf: join(dir, "resolv.conf"),
    volumePluginDir: join(dir, "volume-plugins"),
    imageGCHighThresholdPercent: 100,
    evictionHard: { "memory.available": "100Mi", "nodefs.available": "1%", "imagefs.available": "1%" },
    serializeImagePulls: false,
  };
}

function proxyConfig(machine: Machine, { kubeconfig }: Pki) {
  return {
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    kind: "KubeProxyConfiguration",
    clientConnection: { kubeconfig: kubeconfig("proxy") },
    hostnameOverride: machine.name,
    mode: "iptables",
    clusterCIDR: podRanges,
    // The limits of connection tracking belong to the host.
    conntrack: { maxPerCore: 0, tcpEstablishedTimeout: "0s", tcpCloseWaitTimeout: "0s" },
  };
}
