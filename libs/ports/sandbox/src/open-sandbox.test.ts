import { silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { openSandbox } from "./open-sandbox.ts";

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
