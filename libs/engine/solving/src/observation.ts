import type { ProbeReply } from "@microremed/contracts";
import { clipMiddle } from "@microremed/core";

/** Most characters of one tool's answer that go into a prompt: about 1000 tokens. */
const defaultMax = 4_000;

/** What an agent gets of a tool's answer. */
export function observation(reply: ProbeReply | string, seconds: number, max = defaultMax): string {
  const printed = typeof reply === "string" ? reply : reply.output;
  const output = clipMiddle(printed.trimEnd(), max) || "(no output)";
  if (typeof reply === "string") return output;
  switch (reply.status) {
    case "ok":
    case "failed":
      return `exit code ${reply.exitCode ?? "unknown"}\n${output}`;
    case "timed-out":
      return `stopped after ${seconds} s without an end\n${output}`;
    case "refused":
      return `refused, not run: ${output}`;
  }
}
