/** As much of a metav1.Status as says how a command ended. */
export interface ExecStatus {
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly reason?: string; readonly message?: string }[] };
}

/** The exit code from the status channel, or why the command could not be run. */
export function exitCodeOf(status: ExecStatus): number | string {
  if (status.status === "Success") return 0;
  const cause = status.details?.causes?.find(({ reason }) => reason === "ExitCode");
  const code = Number(cause?.message);
  if (status.reason === "NonZeroExitCode" && Number.isInteger(code)) return code;
  return status.message ?? JSON.stringify(status);
}
