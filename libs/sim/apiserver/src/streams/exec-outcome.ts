import type { ExecResult } from "@microremed/sim-machine";

/** The metav1.Status from which clients read how a command ended. */
export function execStatus(result: ExecResult): object {
  if ("error" in result) {
    return {
      metadata: {},
      status: "Failure",
      message: `Internal error occurred: error executing command in container: ${result.error}`,
      reason: "InternalError",
      details: { causes: [{ message: `error executing command in container: ${result.error}` }] },
      code: 500,
    };
  }
  if (result.exitCode === 0) return { metadata: {}, status: "Success" };
  return {
    metadata: {},
    status: "Failure",
    message: `command terminated with non-zero exit code: command terminated with exit code ${result.exitCode}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: String(result.exitCode) }] },
  };
}
