import { access } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect, test } from "vitest";
import { whyImpossible } from "./impossible.ts";
import { marksOf, tracesOf } from "./testing/traces.ts";

const impossible = await whyImpossible();
const withinMs = 1_800_000;
const program = fileURLToPath(new URL("main.ts", import.meta.url));

if (impossible) process.stderr.write(`The test of what real clusters leave is skipped: ${impossible}\n`);

/** Starts the command of a cluster; gives its process when the cluster is ready. */
async function startCommand() {
  const command = execa(process.execPath, [program], { reject: false });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = "";
  command.stdout.on("data", (chunk) => {
    said += chunk;
    const [, kubeconfig] = /^export KUBECONFIG=(.*)$/m.exec(said) ?? [];
    if (kubeconfig !== undefined) resolve(kubeconfig);
  });
  void command.then(({ stderr }) => reject(new Error(`the cluster did not start: ${stderr}`)));
  const marks = await marksOf(await promise);
  expect((await tracesOf(marks)).map((trace) => trace.split(" ")[0])).toEqual(
    expect.arrayContaining(["process", "control", "link", "network"]),
  );
  return { command, marks };
}

test.skipIf(impossible)(
  "nothing is left of a cluster whose program is killed, and the next one starts, ends and leaves nothing either",
  async () => {
    const killed = await startCommand();
    killed.command.kill("SIGKILL");
    await killed.command;
    await expect.poll(() => tracesOf(killed.marks)).toEqual([]);

    const next = await startCommand();
    await expect(access(killed.marks.dir)).rejects.toThrow("ENOENT");
    next.command.kill("SIGTERM");
    expect((await next.command).exitCode).toBe(0);
    expect(await tracesOf(next.marks)).toEqual([]);
    await expect(access(next.marks.dir)).rejects.toThrow("ENOENT");
  },
  withinMs,
);
