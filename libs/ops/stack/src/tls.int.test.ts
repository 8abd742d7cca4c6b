import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectNatsBus } from "@microremed/bus/nats";
import { silentLogger } from "@microremed/core";
import { startNatsServer, startRedisServer } from "@microremed/servers";
import { connectRedisState } from "@microremed/state/redis";
import { connect } from "@nats-io/transport-node";
import { afterAll, beforeAll, expect, test } from "vitest";

let dir: string;
const at = (name: string): string => join(dir, name);

/** An authority, and certificates of it for the servers at 127.0.0.1 and for a client; and an unrelated authority. */
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "microremed-test-"));
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: dir, stdio: "pipe" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const authority = (name: string) =>
    openssl("req", "-x509", ...key, "-keyout", `${name}.key`, "-out", `${name}.pem`, "-subj", `/CN=${name}`);
  authority("authority");
  authority("stranger");
  await writeFile(at("names"), "subjectAltName=IP:127.0.0.1,DNS:localhost\n");
  for (const name of ["server", "client"]) {
    openssl("req", ...key, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${name}`);
    const signer = ["-CA", "authority.pem", "-CAkey", "authority.key", "-CAcreateserial"];
    openssl("x509", "-req", "-in", `${name}.csr`, ...signer, "-extfile", "names", "-out", `${name}.pem`);
  }
});

afterAll(() => rm(dir, { recursive: true }));

const serverTls = () => ({ certFile: at("server.pem"), keyFile: at("server.key") });
const trusting = () => ({ caFile: at("authority.pem") });
const known = () => ({ ...trusting(), certFile: at("client.pem"), keyFile: at("client.key") });

/** The NATS client compares certificates with names, not with addresses. */
const byName = ({ url }: { readonly url: string }) => url.replace("127.0.0.1", "localhost");

test("NATS over TLS: the right authority is needed, and no connection works without encryption", async () => {
  await using server = await startNatsServer({ tls: serverTls() });
  const options = { name: "test", log: silentLogger };
  const url = byName(server);
  await using bus = await connectNatsBus({ ...options, servers: url, tls: trusting() });
  await bus.ensureStreams();
  await expect(connectNatsBus({ ...options, servers: url })).rejects.toThrow(/certificate/i);
  const wrong = connectNatsBus({ ...options, servers: url, tls: { caFile: at("stranger.pem") } });
  await expect(wrong).rejects.toThrow(/certificate/i);

  await using plain = await startNatsServer();
  const servers = plain.url.replace("nats:", "tls:");
  await expect(connectNatsBus({ ...options, servers })).rejects.toThrow(/tls/i);
});

test("NATS that asks for certificates takes those of its authority", async () => {
  await using server = await startNatsServer({ tls: { ...serverTls(), clientCaFile: at("authority.pem") } });
  const options = { servers: byName(server), name: "test", log: silentLogger } as const;
  await using bus = await connectNatsBus({ ...options, tls: known() });
  await bus.ensureStreams();
  // The product's client would try longer.
  await expect(connect({ ...options, tls: trusting(), timeout: 1000 })).rejects.toThrow();
});

test("Redis over TLS: the right authority is needed, and a certificate where it asks for one", async () => {
  await using server = await startRedisServer({ tls: serverTls(), password: "p w" });
  expect(server.url).toMatch(/^rediss:/);
  await using state = await connectRedisState({ url: server.url, tls: trusting(), log: silentLogger });
  expect(await state.outbox.size()).toBe(0);
  await expect(connectRedisState({ url: server.url, log: silentLogger })).rejects.toThrow(
    /no Redis server answers/,
  );

  const strict = { ...serverTls(), clientCaFile: at("authority.pem") };
  await using asking = await startRedisServer({ tls: strict });
  await using known_ = await connectRedisState({ url: asking.url, tls: known(), log: silentLogger });
  expect(await known_.outbox.size()).toBe(0);
  const without = connectRedisState({ url: asking.url, tls: trusting(), log: silentLogger });
  await expect(without).rejects.toThrow(/no Redis server answers/);
});
