import { terminal } from "@microremed/core";
import { execa } from "execa";

/** kubectl on one cluster: its stdout. Throws `cluster-refused` with what it says on stderr. */
export type Kubectl = (args: readonly string[], input?: string) => Promise<string>;

const deadlineMs = 60_000;

/** kubectl with a kubeconfig and, if given, one of its contexts. Throws `missing-tool` when there is none. */
export function createKubectl(kubeconfig: string, context?: string): Kubectl {
  const access = ["--kubeconfig", kubeconfig, ...(context === undefined ? [] : ["--context", context])];
  return async (args, input = "") => {
    const ran = await execa("kubectl", [...access, ...args], { input, reject: false, timeout: deadlineMs });
    if (ran.exitCode === 0) return ran.stdout;
    if (ran.code === "ENOENT")
      throw terminal("missing-tool", "kubectl is not installed; see `microremed doctor`");
    throw terminal(
      "cluster-refused",
      `kubectl ${args.slice(0, 3).join(" ")}: ${ran.stderr || ran.shortMessage}`,
    );
  };
}
