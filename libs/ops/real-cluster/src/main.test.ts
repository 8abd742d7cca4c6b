import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("main.ts", import.meta.url));

test("what keeps a cluster from its start is said in one line", async () => {
  const args = [program, "--kubeconfig", "/nosuch/folder/config"];
  const { exitCode, stderr } = await execa(process.execPath, args, { reject: false });
  expect([exitCode, stderr]).toEqual([
    1,
    "error: --kubeconfig /nosuch/folder/config: there is no folder /nosuch/folder",
  ]);
});
