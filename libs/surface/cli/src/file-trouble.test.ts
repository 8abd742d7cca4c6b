import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileTrouble } from "./file-trouble.ts";

const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (thrown) => thrown,
  );

test("an error of the file system names the path, and says what to do", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-files-"));
  const file = join(dir.path, "file");
  await writeFile(file, "");
  const messages = await Promise.all(
    [
      mkdir(join(file, "below"), { recursive: true }),
      readFile(join(dir.path, "none")),
      readFile(dir.path),
    ].map(async (work) => fileTrouble(await thrownBy(work))),
  );
  expect(messages.slice(0, 2)).toMatchObject([
    {
      code: "invalid-request",
      message: `${join(file, "below")}: a part of this path is a file, and a folder is needed (ENOTDIR)`,
    },
    {
      code: "invalid-request",
      message: `${join(dir.path, "none")}: there is no such file or folder (ENOENT)`,
    },
  ]);
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
    syscall: "write",
  });
  expect(fileTrouble(full)).toMatchObject({
    message: expect.stringContaining("no space is left on the disk"),
  });
});

test("any other error is none of the file system's", async () => {
  const child = spawn(join(tmpdir(), "no-such-program"));
  const [error] = await once(child, "error");
  for (const other of [error, new Error("x"), "x", undefined]) expect(fileTrouble(other)).toBeUndefined();
});
