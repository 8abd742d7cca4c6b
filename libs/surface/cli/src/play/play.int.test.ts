import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";

const microremed = join(import.meta.dirname, "../../bin/microremed.mjs");

test("a person is given what an agent is given, calls its tools and submits", {
  timeout: 300_000,
}, async () => {
  const input = ["help", "get_nothing", "exec_shell kubectl get pods", "submit anomaly=true", ""].join("\n");
  const problem = "range@1/simple-micro-pod-config-error-hello-service-detection";
  const played = await execa(process.execPath, [microremed, "play", problem, "--range", "in-process"], {
    input,
    reject: false,
  });
  expect(played.stderr).toContain("Say whether anything is wrong");
  expect(played.stderr).toContain('there is no tool "get_nothing"; type help');
  expect(played.stderr).toMatch(/hello-service-\S+ +\d\/\d/);
  expect({ out: played.stdout, code: played.exitCode }).toEqual({
    out: "solved: something was said to be wrong, and something was",
    code: 0,
  });
});
