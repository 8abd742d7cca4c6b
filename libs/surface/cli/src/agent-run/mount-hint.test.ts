import { mkdtempDisposable, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mountHint } from "./mount-hint.ts";

test("an argument that is a file here and not in the sandbox is named, and no other", async () => {
  await using made = await mkdtempDisposable(join(tmpdir(), "mount-hint-"));
  const folder = await realpath(made.path);
  const file = join(folder, "..agent.py");
  await writeFile(file, "");
  const hint = (mounts: string[], kind: "bubblewrap" | "none" = "bubblewrap") =>
    mountHint({ argv: ["python3", "-u", file, "/usr"], mounts, sandbox: { kind } });
  expect(await hint([])).toBe(
    `${file.slice(0, 100)} is here and not in the sandbox: pass --mount, and its whole path`,
  );
  expect(await hint([join(folder, "other")])).not.toBe("");
  expect(await hint([folder])).toBe("");
  expect(await hint([file])).toBe("");
  expect(await hint([], "none")).toBe("");
});
