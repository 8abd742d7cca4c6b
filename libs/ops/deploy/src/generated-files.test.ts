import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generatedFiles, redisUsers } from "./generated-files.ts";
import { k8sRoot } from "./places.ts";

test("the committed manifests are what the code says (else: npm run k8s:generate)", () => {
  for (const { path, text } of generatedFiles()) {
    expect(readFileSync(join(k8sRoot, path), "utf8"), path).toBe(text);
  }
});

test("no password and no hash of one is in what is generated", () => {
  expect(redisUsers()).toContain("user scheduler on #@scheduler@ ");
  for (const { text } of generatedFiles()) expect(text).not.toMatch(/#[0-9a-f]{64}/);
});
