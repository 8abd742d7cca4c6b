import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { connectNatsBus } from "@microremed/bus/nats";
import { silentLogger } from "@microremed/core";
import { generatePasswords, startNatsServer, startRedisServer } from "@microremed/servers";
import { expect, test } from "vitest";

const main = fileURLToPath(new URL("../../../../services/remediator/src/main.ts", import.meta.url));
const passwords = generatePasswords();

test("a service without the right to create streams says once that it waits for them, and asks for no right", async () => {
  await using nats = await startNatsServer({ passwords });
  await using redis = await startRedisServer({ passwords });
  const redisUrl = new URL(redis.url);
  Object.assign(redisUrl, { username: "remediator", password: passwords.remediator });
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env["PATH"],
      NATS_URL: nats.url,
      NATS_USER: "remediator",
      NATS_PASSWORD: passwords.remediator,
      REDIS_URL: redisUrl.href,
      REFERENCE_MODELS_URL: "http://127.0.0.1:1/v1",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await using _ = {
    [Symbol.asyncDispose]: async () => void (child.kill("SIGKILL") && (await once(child, "exit"))),
  };
  const lines: { msg: string; level: string }[] = [];
  createInterface(child.stdout).on("line", (line) => lines.push(JSON.parse(line)));
  const said = (what: string): number => lines.filter(({ msg }) => msg === what).length;
  await expect.poll(() => said("waiting for the streams at NATS")).toBe(1);

  const admin = { user: "admin", password: passwords.admin };
  await using bus = await connectNatsBus({ servers: nats.url, ...admin, name: "test", log: silentLogger });
  await bus.ensureStreams();
  await expect.poll(() => said("ready")).toBe(1);
  expect(said("waiting for the streams at NATS")).toBe(1);
  expect(lines.filter(({ level }) => level !== "info")).toEqual([]);
});
