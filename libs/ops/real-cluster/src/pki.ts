import { generateKeyPairSync } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type KeyPair, newAuthority, newCertificate, newClientCertificate } from "@microremed/deploy";
import { dump } from "js-yaml";

/** Clients of the API server, by the name of their kubeconfig. */
const clients = {
  admin: { user: "admin", group: "system:masters" },
  "controller-manager": { user: "system:kube-controller-manager" },
  scheduler: { user: "system:kube-scheduler" },
  proxy: { user: "system:kube-proxy" },
} as const;
export type ClientKubeconfig = keyof typeof clients;

/** Files of a cluster's certificates and keys; all in one folder, readable by root only. */
export interface Pki {
  readonly file: (name: string) => string;
  readonly kubeconfig: (name: ClientKubeconfig | `node-${string}`) => string;
  /** A certificate for a node's kubelet, as a server and as a client. */
  addNode(node: string, address: string): Promise<void>;
}

/** Makes a cluster's certificates. `server` is the API server's address, `hosts` all names and addresses it has. */
export async function createPki(dir: string, server: string, hosts: readonly string[]): Promise<Pki> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = (name: string): string => join(dir, name);
  const kubeconfig = (name: string): string => file(`${name}.kubeconfig`);
  const save = async (name: string, { certPem, keyPem }: KeyPair): Promise<void> => {
    await writeFile(file(`${name}.crt`), certPem, { mode: 0o600 });
    await writeFile(file(`${name}.key`), keyPem, { mode: 0o600 });
  };
  const authority = await newAuthority("kubernetes-ca");
  const frontProxy = await newAuthority("front-proxy");
  const saveKubeconfig = (name: string, pair: KeyPair) =>
    writeFile(kubeconfig(name), kubeconfigText(server, authority, pair), { mode: 0o600 });

  await save("ca", authority);
  await save("front-proxy-ca", frontProxy);
  await save("apiserver", await newCertificate(authority, hosts));
  await save("etcd", await newCertificate(authority, ["127.0.0.1", "localhost"]));
  await save("kubelet-client", await newClientCertificate(authority, clients.admin));
  await save("front-proxy", await newClientCertificate(frontProxy, { user: "front-proxy-client" }));
  for (const [name, client] of Object.entries(clients))
    await saveKubeconfig(name, await newClientCertificate(authority, client));
  const signing = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  await writeFile(file("accounts.pub"), signing.publicKey, { mode: 0o600 });
  await writeFile(file("accounts.key"), signing.privateKey, { mode: 0o600 });

  return {
    file,
    kubeconfig,
    async addNode(node, address) {
      await save(`kubelet-${node}`, await newCertificate(authority, [node, address]));
      const client = await newClientCertificate(authority, {
        user: `system:node:${node}`,
        group: "system:nodes",
      });
      await saveKubeconfig(`node-${node}`, client);
    },
  };
}

function kubeconfigText(server: string, authority: KeyPair, { certPem, keyPem }: KeyPair): string {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  return dump({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      { name: "real", cluster: { server, "certificate-authority-data": base64(authority.certPem) } },
    ],
    users: [
      {
        name: "user",
        user: { "client-certificate-data": base64(certPem), "client-key-data": base64(keyPem) },
      },
    ],
    contexts: [{ name: "real", context: { cluster: "real", user: "user" } }],
    "current-context": "real",
  });
}
