import { expect, test } from "vitest";
import { resumeLine } from "./resume-line.ts";

test("the line to continue with starts the same programs, and prints no value of a variable", () => {
  const options = { mount: ["/srv/my agent"], variable: ["HOME", "KEY=secret"], sandbox: "bubblewrap" };
  const limits = { seconds: 1800, memory: 2048, callModel: "gpt-4.1" };
  expect(resumeLine("runs/a", { ...options, ...limits }, ["bash", "-c", "echo hi"])).toBe(
    "microremed agent run --resume runs/a --mount '/srv/my agent' --variable HOME --variable KEY=... " +
      "--call-model gpt-4.1 --seconds 1800 --memory 2048 -- bash -c 'echo hi'",
  );
});
