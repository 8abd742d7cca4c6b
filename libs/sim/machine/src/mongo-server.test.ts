import { expect, test } from "vitest";
import { FileTree } from "./file-tree.ts";
import type { ContainerRuntime, PodSandbox } from "./machine.ts";
import { mongoSettings, mongoStartError } from "./mongo-server.ts";

const pem = "-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n";
const path = "/etc/mongod/mongod.conf";

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
      ["tls", files({ "tls.pem": pem, "other.pem": "none" })],
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
  expect(mongoStartError(...aServer(config("requireTLS")))).toBeUndefined();
  expect(mongoStartError(...aServer(config("disabled", "/etc/tls/none.pem")))).toBeUndefined();
  for (const file of ["/etc/tls/none.pem", "/etc/tls/other.pem"])
    expect(mongoStartError(...aServer(config("allowTLS", file)))).toContain("Can not set up PEM key file");
  expect(mongoStartError(...aServer("", ["--tlsMode", "requireTLS"]))).toContain(
    "need tlsCertificateKeyFile",
  );
});
