import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, test } from "vitest";
import { runCommand } from "../testing/run-command.ts";

const microremed = join(import.meta.dirname, "../../bin/microremed.mjs");

test.each(["processes", "in-process"])(
  "an MCP client starts the command, and solves a mitigation and a detection problem, range %s",
  async (kind) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "microremed-mcp-"));
    const outcomes: string[] = [];
    for (const problem of [
      "microremed@1/simple-micro-easy-01",
      "range@1/simple-micro-pod-config-error-hello-service-detection",
    ]) {
      const args = [microremed, "mcp", "--problem", problem, "--range", kind];
      const transport = new StdioClientTransport({
        ...{ command: process.execPath, args, cwd: folder.path, stderr: "pipe" },
        env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" },
      });
      const client = new Client({ name: "stdio-probe", version: "1" });
      await client.connect(transport, { timeout: 300_000 });
      const call = async (name: string, given: Record<string, unknown> = {}): Promise<string> => {
        const options = { timeout: 300_000 };
        const { content } = await client.callTool({ name, arguments: given }, undefined, options);
        return (content as { text: string }[])[0]?.text ?? "";
      };
      let words = "";
      while (!words.includes("# Failure report")) words = await call("next_problem");
      if (problem.includes("detection")) await call("submit", { anomaly: true });
      else {
        expect(await call("exec_shell", { command: "kubectl delete stresschaos --all" })).toContain(
          "deleted",
        );
        await call("submit");
      }
      outcomes.push(await call("next_problem"));
      await client.close();
    }
    expect(outcomes).toEqual([
      expect.stringContaining("ended: remediated"),
      expect.stringContaining("ended: solved"),
    ]);
  },
);

test("what cannot be served is said before anything starts", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "microremed-mcp-"));
  const none = await runCommand(folder.path, "mcp");
  expect(none).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("one of --suite, --problem and --experiment"),
  });
});
