import { silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { type FoundSandbox, openSandbox } from "./open-sandbox.ts";
import type { PodsSandbox } from "./sandbox.types.ts";

const searchPath = process.env["PATH"] ?? "";
const find = async () => ({ trouble: "this machine permits no namespaces" });

test("where no complete sandbox can be had, nothing is opened, and what to do is said", async () => {
  await expect(
    openSandbox({ name: "bubblewrap", searchPath, log: silentLogger, find }),
  ).rejects.toMatchObject({
    code: "missing-tool",
    severity: "terminal",
    message: expect.stringMatching(/permits no namespaces.*SANDBOX=none/),
  });
});

test("none is had by its name alone, and the log says so", async () => {
  const warnings: string[] = [];
  const log = { ...silentLogger, warn: (_fields: object, text?: string) => void warnings.push(text ?? "") };
  expect(await openSandbox({ name: "none", searchPath, log, find })).toMatchObject({ kind: "none" });
  expect(warnings).toEqual([expect.stringContaining("without a sandbox")]);
});

const sandboxInPods = { kind: "pods", memory: "1Gi" } as unknown as PodsSandbox;
const opener = (trouble?: string) => ({ trouble: async () => trouble, open: async () => sandboxInPods });
const found = async () => ({ kind: "bubblewrap" }) as unknown as FoundSandbox;

test("auto takes bubblewrap where it is complete, else pods, else nothing, and says why", async () => {
  const common = { name: "auto", searchPath, log: silentLogger } as const;
  expect(await openSandbox({ ...common, find: found, pods: opener() })).toMatchObject({ kind: "bubblewrap" });
  expect(await openSandbox({ ...common, find, pods: opener() })).toBe(sandboxInPods);
  await expect(
    openSandbox({ ...common, find, pods: opener("it may not create pods") }),
  ).rejects.toMatchObject({
    code: "missing-tool",
    message: expect.stringMatching(/permits no namespaces.*may not create pods.*SANDBOX=none/),
  });
  await expect(openSandbox({ ...common, find })).rejects.toThrow(/RUNNER_KUBECONFIG/);
});

test("one that is asked for by name is not replaced by another", async () => {
  const common = { searchPath, log: silentLogger } as const;
  await expect(
    openSandbox({ ...common, name: "pods", find: found, pods: opener("no rights") }),
  ).rejects.toThrow(/no rights/);
  await expect(openSandbox({ ...common, name: "bubblewrap", find, pods: opener() })).rejects.toThrow(
    /permits no namespaces/,
  );
});
