import { webcrypto } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PemConverter, Pkcs10CertificateRequestGenerator } from "@peculiar/x509";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, type TestApi } from "../testing/test-api.ts";

let cluster: TestApi;
beforeAll(async () => {
  cluster = await startTestApi();
});
afterAll(() => cluster[Symbol.asyncDispose]());

const kubectl = (...args: string[]): Promise<string> => cluster.kubectl(...args);

/** A key and a request file as `openssl req -new -subj` makes them. */
async function ask(name: string, subject: string, spec: object = {}): Promise<{ key: string; file: string }> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const signingAlgorithm = { name: "ECDSA", hash: "SHA-256" };
  const request = await Pkcs10CertificateRequestGenerator.create(
    { name: subject, keys, signingAlgorithm },
    webcrypto,
  );
  const file = join(cluster.dir, `${name}.json`);
  const object = {
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    metadata: { name },
    spec: {
      request: Buffer.from(request.toString("pem")).toString("base64"),
      signerName: "kubernetes.io/kube-apiserver-client",
      usages: ["client auth"],
      ...spec,
    },
  };
  await writeFile(file, JSON.stringify(object));
  const der = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  return { key: PemConverter.encode(der, "PRIVATE KEY"), file };
}

test("signs an approved request: the certificate authenticates as its CN and O", async () => {
  const { key, file } = await ask("jane", "CN=jane, O=devs, O=ops");
  expect(await kubectl("create", "-f", file)).toBe(
    "certificatesigningrequest.certificates.k8s.io/jane created\nrc=0",
  );
  expect(await kubectl("get", "csr", "jane", "--no-headers")).toMatch(
    /^jane +\S+ +kubernetes\.io\/kube-apiserver-client +kubernetes-admin +<none> +Pending\nrc=0$/,
  );
  expect(await kubectl("certificate", "approve", "jane")).toBe(
    "certificatesigningrequest.certificates.k8s.io/jane approved\nrc=0",
  );
  await expect.poll(() => kubectl("get", "csr", "jane", "--no-headers")).toMatch(/Approved,Issued\nrc=0$/);
  const certificate = (await kubectl("get", "csr", "jane", "-o", "jsonpath={.status.certificate}")).slice(
    0,
    -"rc=0".length,
  );
  const [certFile, keyFile] = [join(cluster.dir, "jane.crt"), join(cluster.dir, "jane.key")];
  await writeFile(certFile, Buffer.from(certificate, "base64"));
  await writeFile(keyFile, key);
  const file2 = join(cluster.dir, "jane.kubeconfig");
  const config = (...args: string[]) => kubectl("--kubeconfig", file2, ...args);
  const ca = join(cluster.dir, "ca.crt");
  await writeFile(ca, cluster.api.caPem);
  await config("config", "set-cluster", "c", `--server=${cluster.api.url}`, `--certificate-authority=${ca}`);
  await config(
    "config",
    "set-credentials",
    "jane",
    `--client-certificate=${certFile}`,
    `--client-key=${keyFile}`,
  );
  await config("config", "set-context", "c", "--cluster=c", "--user=jane");
  await config("config", "use-context", "c");
  expect(
    await config("auth", "whoami", "-o", "jsonpath={.status.userInfo.username} {.status.userInfo.groups}"),
  ).toBe('jane ["devs","ops","system:authenticated"]rc=0');
  expect(await config("get", "pods")).toContain('User "jane" cannot list resource "pods"');
});

test("issues nothing for a denied request, nor for usages that the signer does not sign", async () => {
  const denied = await ask("no", "CN=no");
  await kubectl("create", "-f", denied.file);
  await kubectl("certificate", "deny", "no");
  expect(await kubectl("get", "csr", "no", "--no-headers")).toMatch(/Denied\nrc=0$/);
  const server = await ask("server", "CN=server", { usages: ["server auth"] });
  await kubectl("create", "-f", server.file);
  await kubectl("certificate", "approve", "server");
  await expect.poll(() => kubectl("get", "csr", "server", "--no-headers")).toMatch(/Approved,Failed\nrc=0$/);
});

test("says who asks, whatever the request says, and refuses system:masters and what is no request", async () => {
  const forged = await ask("forged", "CN=forged", { username: "somebody-else", groups: ["system:masters"] });
  await kubectl("create", "-f", forged.file);
  expect(await kubectl("get", "csr", "forged", "-o", "jsonpath={.spec.username}")).toBe(
    "kubernetes-adminrc=0",
  );
  const masters = await ask("masters", "CN=me, O=system:masters");
  expect(await kubectl("create", "-f", masters.file)).toContain(
    "use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed",
  );
  const broken = await ask("broken", "CN=broken", { request: Buffer.from("hello").toString("base64") });
  expect(await kubectl("create", "-f", broken.file)).toContain("PEM block type must be CERTIFICATE REQUEST");
});
