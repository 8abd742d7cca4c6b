import { mkdtempDisposable, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kubectlOf } from "./find-tool.ts";

test("of several kubectl side by side, the one of the clusters' version runs in the place of the one that chooses", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "kubectl-"));
  const real = join(await realpath(dir.path), "kubectl");
  const kubectl = { path: "/usr/local/bin/kubectl", real };
  for (const version of ["1.30", "1.31"]) await writeFile(`${real}.${version}`, "", { mode: 0o755 });
  await writeFile(`${real}.1.32`, "", { mode: 0o644 });
  expect(await kubectlOf("1.31", kubectl)).toEqual({ ...kubectl, real: `${real}.1.31`, insteadOf: real });
  expect(await kubectlOf("1.3", kubectl)).toBe(kubectl);
  expect(await kubectlOf("1.32", kubectl)).toBe(kubectl);
});
