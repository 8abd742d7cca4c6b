import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppError } from "@microremed/core";
import { expect, test } from "vitest";
import { askServer } from "./ask-server.ts";
import { findProgram } from "./find-program.ts";
import { startNatsServer } from "./nats-server.ts";
import { generatePasswords } from "./passwords.ts";
import { startRedisServer } from "./redis-server.ts";
import { startServerProcess } from "./server-process.ts";

test("a NATS server answers, demands its credentials and is gone with its folder after the dispose", async () => {
  const server = await startNatsServer({ user: "range", password: 'se"cret' });
  expect(
    await askServer(server.port, 'CONNECT {"verbose":true}\r\nPING\r\n', "Authorization Violation"),
  ).toBe(true);
  const login = JSON.stringify({ user: "range", pass: 'se"cret', verbose: true });
  expect(await askServer(server.port, `CONNECT ${login}\r\nPING\r\n`, "PONG")).toBe(true);
  const files = await readdir(server.dir);
  const config = await stat(join(server.dir, "nats-server.conf"));
  expect(files).toContain("nats-server.conf");
  expect(config.mode & 0o777).toBe(0o600);
  await server[Symbol.asyncDispose]();
  expect(() => process.kill(server.pid, 0)).toThrow();
  await expect(stat(server.dir)).rejects.toThrow();
});

test("a Redis server answers with its password and refuses without", async () => {
  await using server = await startRedisServer({ password: "p@ss word" });
  expect(server.url).toContain("p%40ss%20word");
  expect(await askServer(server.port, "PING\r\n", "NOAUTH")).toBe(true);
  expect(await askServer(server.port, 'AUTH "p@ss word"\r\nPING\r\n', "+PONG")).toBe(true);
});

test("a Redis server with users of its own keeps what transactions and scripts wrote when it is killed", async () => {
  await using cleanup = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), "microremed-redis-"));
  cleanup.defer(() => rm(dir, { recursive: true, force: true }));
  const passwords = generatePasswords();
  const login = `AUTH admin ${passwords.admin}\r\n`;
  const first = await startRedisServer({ dir, passwords });
  const script = "redis.call('SET', 'microremed:a', 1) return redis.call('SET', 'microremed:b', 2)";
  expect(await askServer(first.port, `${login}EVAL "${script}" 0\r\nPING\r\n`, "+PONG")).toBe(true);
  process.kill(first.pid, "SIGKILL");
  await first.ended;
  await using second = await startRedisServer({ dir, passwords });
  expect(
    await askServer(second.port, `${login}MGET microremed:a microremed:b\r\n`, "$1\r\n1\r\n$1\r\n2"),
  ).toBe(true);
  expect(await askServer(second.port, "PING\r\n", "NOAUTH")).toBe(true);
  expect(await askServer(second.port, "AUTH default x\r\n", "WRONGPASS")).toBe(true);
});

test("a program that is not installed is named with the way to get it", async () => {
  const error = await findProgram("no-such-server", "Install it with care.").catch(AppError.from);
  expect(error).toMatchObject({
    code: "missing-tool",
    message: expect.stringContaining("Install it with care."),
  });
});

test("a server that prints megabytes lives on, and what it said is in its folder", async () => {
  await using server = await startServerProcess({
    name: "chatty",
    program: process.execPath,
    dir: undefined,
    config: () => `console.log("x".repeat(4e6)); setInterval(() => console.error("still here"), 20);`,
    args: (file) => [file],
    answer: async (dir) => {
      const { size } = await stat(join(dir, "chatty.log"));
      return size > 4_000_100 ? 1 : undefined;
    },
    url: (port) => `tcp://127.0.0.1:${port}`,
  });
  expect(process.kill(server.pid, 0)).toBe(true);
});
