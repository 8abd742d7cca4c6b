import { mkdtempDisposable, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../testing/run-command.ts";
import { runLine } from "../testing/run-line.ts";

async function filesOf(directory: string): Promise<[string, string][]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return Promise.all(
    paths
      .toSorted()
      .map(
        async (path): Promise<[string, string]> => [
          path.slice(directory.length),
          (await readFile(path)).toString("base64"),
        ],
      ),
  );
}

test("the files are the same bytes with one thread and with two", { timeout: 300_000 }, async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "microremed-dataset-"));
  const make = (name: string, workers: string) =>
    runCommand(
      directory.path,
      ...["dataset", "--suite", "random@1", "--incidents", "1", "--several", "1", "--fault-free", "0"],
      ...["--before", "60", "--after", "60", "--out", name, "--workers", workers],
    );
  expect(await make("one", "1")).toMatchObject({
    ...{ code: 0, stdout: "", stderr: expect.stringContaining("2 cases in one") },
  });
  expect((await make("two", "2")).code).toBe(0);
  const files = await filesOf(join(directory.path, "one"));
  expect(files.map(([name]) => name)).toContain("/several-faults/online-boutique/0001/labels.json");
  expect(await filesOf(join(directory.path, "two"))).toEqual(files);
});

test("a wrong number of threads is a wrong argument", async () => {
  const args = ["dataset", "--suite", "random@1", "--incidents", "1", "--out", "x", "--workers", "0"];
  expect((await runLine(tmpdir(), ...args)).code).toBe(2);
});
