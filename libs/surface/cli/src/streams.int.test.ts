import { Writable } from "node:stream";
import { connectNatsBus } from "@microremed/bus/nats";
import { silentLogger } from "@microremed/core";
import { generatePasswords, startNatsServer } from "@microremed/servers";
import { expect, test } from "vitest";
import { program } from "./main.ts";
import { createTerminal } from "./terminal.ts";

const passwords = generatePasswords();

/** Runs the command as the admin of a NATS server at a port; `said` is what it says. */
function streams(port: number, ...args: string[]) {
  const said: string[] = [];
  const write = (chunk: Buffer, _: string, done: () => void): void => {
    said.push(String(chunk));
    done();
  };
  const sink = (): Writable => Object.assign(new Writable({ write }), { isTTY: false });
  const context = {
    terminal: createTerminal(sink() as NodeJS.WriteStream, sink() as NodeJS.WriteStream, {}),
    log: silentLogger,
    env: {
      NATS_URL: `nats://127.0.0.1:${port}`,
      NATS_USER: "admin",
      NATS_PASSWORD: passwords.admin,
    },
    signal: new AbortController().signal,
  };
  const argv = ["streams", ...args];
  const ended = program(context, argv).then((verb) => verb.parseAsync(argv, { from: "user" }));
  return { said, ended };
}

async function freePort(): Promise<number> {
  await using server = await startNatsServer({ passwords });
  return server.port;
}

test("waits for a NATS server that is still starting, and says once why", async () => {
  const port = await freePort();
  const { said, ended } = streams(port, "--wait=120");
  await expect.poll(() => said.join("")).toMatch(/^waiting for NATS, at most 120 s: no NATS server answers/);
  await using server = await startNatsServer({ passwords, port });
  await ended;
  expect(said.join("").match(/waiting/g)).toHaveLength(1);
  expect(said.join("")).toContain("all streams exist");
  const admin = { user: "admin", password: passwords.admin };
  await using bus = await connectNatsBus({ servers: server.url, ...admin, name: "test", log: silentLogger });
  await bus.ensureStreams({ create: false });
});

test("does not wait where it is not asked to, and not for longer than it is asked to", async () => {
  const port = await freePort();
  for (const args of [[], ["--wait=1"]])
    await expect(streams(port, ...args).ended).rejects.toMatchObject({ code: "bus-unreachable" });
});
