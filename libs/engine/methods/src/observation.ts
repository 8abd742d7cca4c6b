import type { ProbeReply } from "@microremed/contracts";
import { clipMiddle } from "@microremed/core";

/** Most characters of one probe's output that go into a prompt: about 1000 tokens. */
const maxOutput = 4_000;

/** What the probe agent tells the coordinator about one command. */
export function observation(reply: ProbeReply, probeSeconds: number): string {
  const output = clipMiddle(reply.output.trimEnd(), maxOutput) || "(no output)";
  switch (reply.status) {
    case "ok":
    case "failed":
      return `exit code ${reply.exitCode ?? "unknown"}\n${output}`;
    case "timed-out":
      return `stopped after ${probeSeconds} s without an end\n${output}`;
    case "refused":
      return `refused, not run: ${output}`;
  }
}
