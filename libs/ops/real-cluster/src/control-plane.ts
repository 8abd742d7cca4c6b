import { join } from "node:path";
import { retryable, waitFor, wallClock } from "@microremed/core";
import { execa } from "execa";
import type { Machine } from "./machine.ts";
import type { Pki } from "./pki.ts";

const serviceRange = "10.96.0.0/16";
/** Of the Service `kubernetes`. */
export const firstServiceAddress = "10.96.0.1";
/** Of the Service `kube-dns`. */
export const dnsAddress = "10.96.0.10";
export const securePort = 6443;

/** Folders of the programs. */
export interface Programs {
  readonly kubernetes: string;
  readonly etcd: string;
}

const etcdPort = 2379;
const readyWithinMs = 300_000;
/** Processors are scarcer than memory where many clusters' parts share a machine: garbage is collected a quarter as often. */
const seldomCollected = { GOGC: "400" };

/** Starts etcd, the API server, the controller manager and the scheduler on a machine; returns when the API server is ready. */
export async function startControlPlane(
  machine: Machine,
  { kubernetes, etcd }: Programs,
  pki: Pki,
  dir: string,
): Promise<void> {
  await machine.start("etcd", etcdArgs(join(etcd, "server"), pki, dir), seldomCollected);
  await machine.start(
    "kube-apiserver",
    [join(kubernetes, "kube-apiserver"), ...apiServerFlags(machine.address, pki)],
    seldomCollected,
  );
  await untilReady(machine, pki, kubernetes);
  // The controller manager gives up at once if there is no API server.
  await machine.start(
    "kube-controller-manager",
    [join(kubernetes, "kube-controller-manager"), ...controllerFlags(pki)],
    seldomCollected,
  );
  await machine.start("kube-scheduler", [
    join(kubernetes, "kube-scheduler"),
    `--kubeconfig=${pki.kubeconfig("scheduler")}`,
    "--leader-elect=false",
    // No event says that a node that was closed for a moment takes pods again.
    "--pod-max-in-unschedulable-pods-duration=10s",
  ]);
}

function etcdArgs(program: string, { file }: Pki, dir: string): string[] {
  const url = `https://127.0.0.1:${etcdPort}`;
  return [
    program,
    `--data-dir=${join(dir, "etcd")}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    "--listen-peer-urls=http://127.0.0.1:2380",
    `--cert-file=${file("etcd.crt")}`,
    `--key-file=${file("etcd.key")}`,
    `--trusted-ca-file=${file("ca.crt")}`,
    "--client-cert-auth",
    // The data need not outlive the test.
    "--unsafe-no-fsync",
  ];
}

function apiServerFlags(address: string, { file }: Pki): string[] {
  return [
    `--etcd-servers=https://127.0.0.1:${etcdPort}`,
    `--etcd-cafile=${file("ca.crt")}`,
    `--etcd-certfile=${file("kubelet-client.crt")}`,
    `--etcd-keyfile=${file("kubelet-client.key")}`,
    `--advertise-address=${address}`,
    `--secure-port=${securePort}`,
    `--service-cluster-ip-range=${serviceRange}`,
    `--client-ca-file=${file("ca.crt")}`,
    `--tls-cert-file=${file("apiserver.crt")}`,
    `--tls-private-key-file=${file("apiserver.key")}`,
    "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
    `--service-account-key-file=${file("accounts.pub")}`,
    `--service-account-signing-key-file=${file("accounts.key")}`,
    "--authorization-mode=Node,RBAC",
    "--enable-admission-plugins=NodeRestriction",
    "--allow-privileged=true",
    `--kubelet-client-certificate=${file("kubelet-client.crt")}`,
    `--kubelet-client-key=${file("kubelet-client.key")}`,
    `--kubelet-certificate-authority=${file("ca.crt")}`,
    "--kubelet-preferred-address-types=InternalIP,Hostname",
    "--enable-aggregator-routing=true",
    `--requestheader-client-ca-file=${file("front-proxy-ca.crt")}`,
    "--requestheader-allowed-names=front-proxy-client",
    "--requestheader-extra-headers-prefix=X-Remote-Extra-",
    "--requestheader-group-headers=X-Remote-Group",
    "--requestheader-username-headers=X-Remote-User",
    `--proxy-client-cert-file=${file("front-proxy.crt")}`,
    `--proxy-client-key-file=${file("front-proxy.key")}`,
  ];
}

function controllerFlags({ file, kubeconfig }: Pki): string[] {
  return [
    `--kubeconfig=${kubeconfig("controller-manager")}`,
    "--leader-elect=false",
    "--use-service-account-credentials=true",
    `--service-account-private-key-file=${file("accounts.key")}`,
    `--root-ca-file=${file("ca.crt")}`,
    `--cluster-signing-cert-file=${file("ca.crt")}`,
    `--cluster-signing-key-file=${file("ca.key")}`,
    `--service-cluster-ip-range=${serviceRange}`,
  ];
}

async function untilReady(machine: Machine, pki: Pki, programs: string): Promise<void> {
  let answer = "";
  const wait = { clock: wallClock, what: "a ready API server", timeoutMs: readyWithinMs, intervalMs: 500 };
  const isReady = async (): Promise<true | undefined> => {
    const ended = await machine.endedDaemons();
    if (ended !== undefined) throw retryable("internal", ended);
    answer = await readyz(pki, programs);
    return answer === "ok" || undefined;
  };
  await waitFor(wait, isReady, () => answer);
}

async function readyz({ kubeconfig }: Pki, programs: string): Promise<string> {
  const args = ["--kubeconfig", kubeconfig("admin"), "get", "--raw", "/readyz", "--request-timeout=5s"];
  const said = await execa(join(programs, "kubectl"), args, { reject: false, timeout: 10_000 });
  return said.exitCode === 0 ? said.stdout : said.stderr;
}
