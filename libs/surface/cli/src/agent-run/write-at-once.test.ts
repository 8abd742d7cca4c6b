import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeAtOnce } from "./write-at-once.ts";

test("a file is written again from its beginning, and a named pipe in its place is an error and no wait", async () => {
  const folder = await mkdtemp(join(tmpdir(), "write-at-once-"));
  try {
    const file = join(folder, "a.log");
    await writeAtOnce(file, "a longer text");
    await writeAtOnce(file, "text");
    expect(await readFile(file, "utf8")).toBe("text");
    const pipe = join(folder, "b.log");
    execFileSync("mkfifo", [pipe]);
    await expect(writeAtOnce(pipe, "text")).rejects.toThrow("ENXIO");
  } finally {
    await rm(folder, { recursive: true });
  }
});
