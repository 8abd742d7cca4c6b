import { expect, test } from "vitest";
import { FileTree } from "./file-tree.ts";
import type { ContainerRuntime, PodSandbox } from "./machine.ts";
import { mongoSettings, mongoStartError } from "./mongo-server.ts";

const pem = "-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n";
/** Valid until 5 June 2025. */
const expired = `-----BEGIN CERTIFICATE-----
MIIBMDCB2AIBATAKBggqhkjOPQQDAjAlMREwDwYDVQQKDAhwbGF0Zm9ybTEQMA4G
A1UEAwwHbW9uZ29kYjAeFw0yNDA2MDUwMDAwMDBaFw0yNTA2MDUwMDAwMDBaMCUx
ETAPBgNVBAoMCHBsYXRmb3JtMRAwDgYDVQQDDAdtb25nb2RiMFkwEwYHKoZIzj0C
AQYIKoZIzj0DAQcDQgAEeE/37DKvEOreg4tlIzx2D+bVXzmGGV5F4T9dd/OqJ5Wz
mTEkBtPILrh8ml18ls2mItOeFkx4bqP5/BxVoeNWjzAKBggqhkjOPQQDAgNHADBE
AiApgz8uU9DImZETBwo0dmhroidI8BkShfmyLfUrvG/F/QIgDwgTIiKI2M7rgOTp
XUfx1afa/Vo9IbqLhlJrJHELnUY=
-----END CERTIFICATE-----
-----BEGIN PRIVATE KEY-----
`;
const path = "/etc/mongod/mongod.conf";
const now = Date.parse("2026-01-01");

/** A server whose configuration is one file of a volume, and whose certificate is another. */
function aServer(config: string, command: readonly string[] = ["--config", path]) {
  const files = (all: Record<string, string>): FileTree => {
    const tree = new FileTree();
    for (const [name, text] of Object.entries(all)) tree.set(name, new TextEncoder().encode(text));
    return tree;
  };
  const sandbox = {
    volumes: new Map([
      ["config", files({ "mongod.conf": config })],
      ["tls", files({ "tls.pem": pem, "old.pem": expired, "other.pem": "none" })],
    ]),
  } as unknown as PodSandbox;
  const container = {
    behaviour: { runtime: "mongodb" },
    command,
    mounts: new Map([
      [path, "config"],
      ["/etc/tls", "tls"],
    ]),
    subPaths: new Map([[path, "mongod.conf"]]),
  } as unknown as ContainerRuntime;
  return [sandbox, container] as const;
}

const config = (mode: string, file = "/etc/tls/tls.pem") =>
  `storage:\n  dbPath: /data/db\nnet:\n  port: 27017\n  tls:\n    mode: ${mode} # of clients\n    certificateKeyFile: "${file}"\nsecurity:\n  mode: none\n`;

test("a server reads its mode of TLS from its file, and its command line goes before", () => {
  expect(mongoSettings(...aServer(config("requireTLS")))).toMatchObject({
    tls: "requireTLS",
    certificate: "/etc/tls/tls.pem",
  });
  expect(mongoSettings(...aServer("net: { port: 27017 }\n")).tls).toBe("disabled");
  expect(mongoSettings(...aServer("")).tls).toBe("disabled");
  const command = ["mongod", `--config=${path}`, "--tlsMode", "preferTLS"];
  expect(mongoSettings(...aServer(config("requireTLS"), command)).tls).toBe("preferTLS");
  expect(
    mongoSettings(...aServer(config("requireTLS").replace("tls:", "ssl:").replace("TLS", "SSL"))).tls,
  ).toBe("requireTLS");
});

test("a server with TLS and without a certificate does not start", () => {
  expect(mongoStartError(...aServer(config("requireTLS")), now)).toBeUndefined();
  expect(mongoStartError(...aServer(config("disabled", "/etc/tls/none.pem")), now)).toBeUndefined();
  for (const file of ["/etc/tls/none.pem", "/etc/tls/other.pem"])
    expect(mongoStartError(...aServer(config("allowTLS", file)), now)).toContain(
      "Can not set up PEM key file",
    );
  expect(mongoStartError(...aServer("", ["--tlsMode", "requireTLS"]), now)).toContain(
    "need tlsCertificateKeyFile",
  );
});

test("a server with TLS does not start once its certificate has expired; without TLS it does not read it", () => {
  const start = (mode: string, at: string) =>
    mongoStartError(...aServer(config(mode, "/etc/tls/old.pem")), Date.parse(at));
  expect(start("preferTLS", "2025-06-04")).toBeUndefined();
  expect(start("preferTLS", "2025-06-06")).toContain("certificate has expired");
  expect(start("disabled", "2025-06-06")).toBeUndefined();
});
