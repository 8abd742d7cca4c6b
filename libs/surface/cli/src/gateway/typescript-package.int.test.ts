import { cp, mkdir, mkdtempDisposable, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { upRange } from "../testing/a-range.ts";

const root = join(import.meta.dirname, "../../../../..");
const timeout = 10 * 60_000;

test("the packed TypeScript package solves easy@1 with three problems at once", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "microremed-typescript-"));
  const installed = join(folder.path, "node_modules/@microremed/client");
  await mkdir(installed, { recursive: true });
  const pack = ["pack", "-w", "@microremed/client", "--silent", "--pack-destination", folder.path];
  const { stdout: archive } = await execa("npm", pack, { cwd: root, timeout });
  await execa("tar", ["-xzf", join(folder.path, archive.trim()), "--strip-components=1", "-C", installed], {
    timeout,
  });
  for (const name of ["openapi-fetch", "openapi-typescript-helpers"])
    await symlink(join(root, "node_modules", name), join(folder.path, "node_modules", name));
  await cp(join(root, "clients/typescript/examples/no-model.mjs"), join(folder.path, "no-model.mjs"));
  await using range = await upRange(folder.path, "--range", "in-process", "--arenas", "3");
  const { stdout } = await execa(process.execPath, ["no-model.mjs"], {
    ...{ cwd: folder.path, timeout },
    env: { MICROREMED_URL: range.url, MICROREMED_TOKEN: range.agent },
  });
  expect(JSON.parse(stdout)).toMatchObject({
    score: { problems: 23, notCounted: 0, passed: expect.any(Number) },
    first: { agent: "removes-chaos@1", attempts: 1, calls: 2, outcome: "remediated", error: null },
  });
});
