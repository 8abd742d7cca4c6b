import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import {
  ansibleConfig,
  ansibleEnvironment,
  inventory,
  startWarmRunner,
  type WarmRunner,
} from "@microremed/ansible/sandboxed";
import { type Logger, silentLogger } from "@microremed/core";
import { runConfined } from "@microremed/sandbox";
import { sandboxesHere } from "@microremed/sandbox/testing";
import { startSimCluster } from "@microremed/simcluster";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { normalized } from "./normalize.ts";

/** Each is `<name>.yml`, with further files of its home in `<name>/` and arguments in a comment on its first line. */
const names = readdirSync(import.meta.dirname).flatMap((file) => /^(.+)\.yml$/.exec(file)?.[1] ?? []);
/** They bring an ansible.cfg of their own, which the warm runner leaves to the plain command. */
const leftToPlain = ["own-config"];

const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());
const { best: sandbox } = await sandboxesHere();
const refusals: unknown[] = [];
const log: Logger = { ...silentLogger, warn: (fields) => void refusals.push(fields) };
let kubeconfig = "";
let warm: WarmRunner;

beforeAll(async () => {
  const options = { name: "parity", seed: 1, timeScale: 1, environments: [] };
  kubeconfig = stack.use(await startSimCluster(options)).kubeconfig;
  warm = stack.use(startWarmRunner({ log, sandbox }));
  expect(await warm.ready).toBe(true);
});

async function run(name: string, runner: WarmRunner | undefined) {
  const place = (text: string): string => text.replaceAll("NAMESPACE", `arena-${runner ? "w" : "p"}-${name}`);
  const playbook = place(readFileSync(join(import.meta.dirname, `${name}.yml`), "utf8"));
  const args = /^# arguments: (.*)/.exec(playbook)?.[1]?.split(" ") ?? [];
  const { exitCode, how, output } = await runConfined({
    argv: ["ansible-playbook", "-i", "inventory.ini", ...args, "remediation.yml"],
    files: (home) => ({
      "ansible.cfg": ansibleConfig(home),
      "inventory.ini": inventory,
      "remediation.yml": playbook,
      ...filesBeside(name, place),
    }),
    env: ansibleEnvironment,
    kubeconfig,
    timeoutMs: 120_000,
    sandbox,
    starter: runner,
  });
  return { exitCode, how, output: normalized(output) };
}

function filesBeside(name: string, place: (text: string) => string): Record<string, string> {
  const dir = join(import.meta.dirname, name);
  const entries = readdirSync(import.meta.dirname).includes(name)
    ? readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : [];
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [relative(dir, path), place(readFileSync(path, "utf8"))]));
}

test("there are many playbooks", () => expect(names.length).toBeGreaterThanOrEqual(40));

describe.runIf(sandbox.kind === "bubblewrap").concurrent("the warm runner does as the plain command", () => {
  test.each(names)("%s", { timeout: 240_000 }, async (name) => {
    const plain = await run(name, undefined);
    expect(await run(name, warm)).toEqual(plain);
  });
});

test.runIf(sandbox.kind === "bubblewrap")("hardly any was left to the plain command", () => {
  expect(refusals).toHaveLength(leftToPlain.length);
});
