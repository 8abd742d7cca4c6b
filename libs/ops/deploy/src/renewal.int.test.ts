import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect as connectTcp } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { connectNatsBus } from "@microremed/bus/nats";
import { subjects } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import { type RunningServer, startNatsServer, startRedisServer } from "@microremed/servers";
import { execa } from "execa";
import { expect, test } from "vitest";
import { type KeyPair, newAuthority, newCertificate } from "./certificates.ts";

// What docs/kubernetes.md says of a renewed certificate: NATS reads it at SIGHUP, Redis at CONFIG SET, and neither lets
// go of its connections.

interface Files {
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
  /** As when the kubelet writes a changed Secret; the number of the new certificate. */
  renew(): Promise<string>;
}

async function certificates(stack: AsyncDisposableStack): Promise<Files> {
  const dir = await mkdtemp(join(tmpdir(), "microremed-renewal-"));
  stack.defer(() => rm(dir, { recursive: true }));
  const at = (name: string): string => join(dir, name);
  const authority = await newAuthority("test");
  await writeFile(at("ca.crt"), authority.certPem);
  const write = async ({ certPem, keyPem }: KeyPair): Promise<void> => {
    await writeFile(at("tls.crt"), certPem);
    await writeFile(at("tls.key"), keyPem, { mode: 0o600 });
  };
  const make = (): Promise<KeyPair> => newCertificate(authority, ["localhost", "127.0.0.1"]);
  await write(await make());
  return {
    caFile: at("ca.crt"),
    certFile: at("tls.crt"),
    keyFile: at("tls.key"),
    renew: async () => {
      const pair = await make();
      await write(pair);
      return fingerprintOf(pair.certPem);
    },
  };
}

const fingerprintOf = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, "");

/** The certificate that a server shows to a new connection. NATS speaks first, in the clear. */
async function shownBy({ port }: RunningServer, speaksFirst: boolean): Promise<string> {
  const socket = connectTcp({ host: "127.0.0.1", port });
  if (speaksFirst) await once(socket, "data");
  const secured = connectTls({ socket, rejectUnauthorized: false });
  await once(secured, "secureConnect");
  const { raw } = secured.getPeerCertificate();
  secured.destroy();
  return raw.toString("base64");
}

test("NATS shows a renewed certificate after SIGHUP, and keeps its connections", async () => {
  await using stack = new AsyncDisposableStack();
  const files = await certificates(stack);
  const server = stack.use(await startNatsServer({ tls: files }));
  const servers = server.url.replace("127.0.0.1", "localhost");
  const tls = { caFile: files.caFile };
  const bus = stack.use(await connectNatsBus({ servers, name: "t", tls, log: silentLogger }));
  await bus.ensureStreams();
  let lost = 0;
  const watch = setInterval(() => void (bus.connected || lost++), 5);
  stack.defer(() => clearInterval(watch));

  const renewed = await files.renew();
  process.kill(server.pid, "SIGHUP");
  await expect.poll(() => shownBy(server, true)).toBe(renewed);
  await bus.publish(subjects.cancel, { experimentId: "exp-1" }, { msgId: "one" });
  expect(lost).toBe(0);
});

test("Redis shows a renewed certificate after CONFIG SET, and keeps its connections", async () => {
  await using stack = new AsyncDisposableStack();
  const files = await certificates(stack);
  const server = stack.use(await startRedisServer({ tls: files }));
  const redisCli = ["--tls", "--cacert", files.caFile, "-p", String(server.port)];
  const open = execa("redis-cli", redisCli, { stdin: "pipe", timeout: 30_000 });
  open.stdin.write("SET kept yes\nCLIENT ID\n");
  const answers = open.iterable();
  expect((await answers.next()).value).toBe("OK");
  const { value: id } = await answers.next();

  const renewed = await files.renew();
  const set = ["CONFIG", "SET", "tls-cert-file", files.certFile, "tls-key-file", files.keyFile];
  expect((await execa("redis-cli", [...redisCli, ...set], { timeout: 10_000 })).stdout).toBe("OK");
  expect(await shownBy(server, false)).toBe(renewed);
  open.stdin.end("CLIENT ID\nGET kept\n");
  expect((await answers.next()).value).toBe(id);
  expect((await answers.next()).value).toBe("yes");
});
