import { mkdtempDisposable, readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type RangeUnderTest, upRange } from "../testing/a-range.ts";
import { runCommand } from "../testing/run-command.ts";

const aFolder = () => mkdtempDisposable(join(tmpdir(), "microremed-gateway-"));
const request = {
  id: "exp-1",
  environment: "simple-micro",
  model: "reference/runbook",
  failures: ["cpu-stress"],
};

/** Submits an experiment over HTTP and reads its events until it has finished. */
async function run({ ask, researcher }: RangeUnderTest): Promise<unknown> {
  const body = JSON.stringify(request);
  expect((await ask("/experiments", researcher, { method: "POST", body })).status).toBe(202);
  const events = await (await ask("/experiments/exp-1/events", researcher)).text();
  expect(events).toContain("event: experiment-finished");
  return (await ask("/experiments/exp-1/report", researcher)).json();
}

test.each(["processes", "in-process"])("up --gateway: an experiment over HTTP, range %s", async (kind) => {
  await using folder = await aFolder();
  const range = await upRange(folder.path, "--range", kind);
  try {
    expect(range.said).not.toMatch(/mr_[a-z0-9]{10}_/);
    expect((await stat(join(range.directory, "agent.token"))).mode & 0o777).toBe(0o600);
    expect(await run(range)).toMatchObject({
      status: "completed",
      range: kind,
      episodes: [{ outcome: "remediated" }],
    });
    expect((await range.ask("/experiments", range.agent)).status).toBe(403);
    const second = await runCommand(folder.path, "up", "--gateway", "0", "--range", "in-process");
    expect(second).toMatchObject({ stderr: expect.stringContaining("stop it, or use another directory") });
  } finally {
    await range[Symbol.asyncDispose]();
  }
  const left = (await readdir(range.directory)).filter((name) => /token|gateway.json/.test(name));
  expect(left).toEqual([]);
});

test("tokens are made, listed and revoked, and open what their scope says at once", async () => {
  await using folder = await aFolder();
  await using range = await upRange(folder.path, "--range", "processes");
  const tokens = (...args: string[]) => runCommand(folder.path, "tokens", ...args);
  const made = await tokens("create", "--scope", "admin", "--name", "ops", "--days", "1");
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mr_[a-z0-9]{10}_\S+\n?$/) });
  const text = made.stdout.trim();
  const id = text.slice(3, 13);
  expect((await range.ask("/tokens", text)).status).toBe(200);
  const list = await tokens("list", "--output", "json");
  expect(JSON.parse(list.stdout)).toContainEqual(
    expect.objectContaining({ id, scope: "admin", name: "ops" }),
  );
  expect(list.stdout).not.toContain("secret");
  expect((await tokens("list")).stdout).toMatch(new RegExp(`${id} +admin +ops`));
  expect((await tokens("revoke", id)).code).toBe(0);
  expect((await range.ask("/tokens", text)).status).toBe(401);
  expect(await tokens("revoke", id)).toMatchObject({ code: 2, stderr: expect.stringContaining("no token") });
  expect(await tokens("revoke", "x")).toMatchObject({ code: 2 });
  expect(await tokens("create", "--scope", "root", "--name", "x")).toMatchObject({ code: 2 });
});

test("a range in one process is reached over its gateway only; without a range there are no tokens", async () => {
  await using folder = await aFolder();
  const alone = await runCommand(folder.path, "up", "--range", "in-process");
  expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining("add --gateway") });
  const none = await runCommand(folder.path, "tokens", "list");
  expect(none.stderr).toContain("microremed up --gateway");
});
