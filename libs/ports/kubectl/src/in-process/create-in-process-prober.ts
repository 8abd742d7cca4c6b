import { type Cluster, fenceCluster } from "@microremed/cluster";
import type { ProbeReply } from "@microremed/contracts";
import { clipMiddle, shellWord } from "@microremed/core";
import { checkProbe } from "../check-probe.ts";
import { keptOutput } from "../kept-output.ts";
import type { CommandRun, ProbeRun, Prober, TelemetryRun } from "../probe.types.ts";
import { questionOf } from "../telemetry/question-of.ts";
import { saidOf } from "./failures.ts";
import { readingCluster } from "./reading-cluster.ts";
import { runShell } from "./run-shell.ts";

/** A user's access to a cluster of this process, as a kubeconfig gives it. */
export type OpenAccess = (kubeconfig: string) => { readonly cluster: Cluster; readonly namespace: string };

/** How a script is run: what of the cluster is left to it, and how what it printed is shown. */
interface Manner {
  readonly limit?: (cluster: Cluster) => Cluster;
  readonly render?: (printed: string) => string;
}

const asPrinted = (printed: string): string => printed;
const asOpened = (cluster: Cluster): Cluster => cluster;

/** Reads arenas of this process: the same checks and questions as in a sandbox, kubectl over the port of clusters. */
export function createInProcessProber(open: OpenAccess): Prober {
  const answer = async (
    run: ProbeRun | CommandRun | TelemetryRun,
    script: string,
    { render = asPrinted, limit = asOpened }: Manner = {},
  ): Promise<ProbeReply> => {
    const { cluster: opened, namespace } = open(run.kubeconfig);
    const cluster = limit(opened);
    const endsAt = (await cluster.clock.now()) + run.timeoutMs;
    const end = await runShell({ script, cluster, namespace, endsAt, signal: run.signal });
    const printed = end.exitCode === 0 ? render(end.stdout) : `${end.stdout}${end.stderr}`;
    const isLate = end.how === "timed-out";
    const note = isLate ? `\n[stopped: still running after ${run.timeoutMs / 1000} s]` : "";
    return {
      status: isLate ? "timed-out" : end.exitCode === 0 ? "ok" : "failed",
      exitCode: isLate ? null : end.exitCode,
      output: clipMiddle(`${printed}${note}`, run.maxOutput ?? keptOutput),
    };
  };
  const runReading = async (run: ProbeRun): Promise<ProbeReply> => {
    const refusals: string[] = [];
    const limit = (cluster: Cluster) => readingCluster(cluster, (why) => refusals.push(why));
    const reply = await answer(run, run.command, { limit }).catch(asAnswer);
    const [refusal] = refusals;
    return refusal === undefined ? reply : { status: "refused", exitCode: null, output: refusal };
  };
  return {
    async runProbe(run) {
      const refusal = await checkProbe(run.command);
      if (refusal !== undefined) return { status: "refused", exitCode: null, output: refusal };
      return runReading(run);
    },
    runReading,
    runCommand(run) {
      const { mayPass } = run;
      const limit = mayPass && ((cluster: Cluster) => fenceCluster(cluster, mayPass));
      return answer(run, run.command, limit && { limit }).catch(asAnswer);
    },
    runTelemetry(run) {
      const { argv, render } = questionOf(run.probe);
      const script = argv[0] === "/bin/bash" ? (argv[2] ?? "") : argv.map(shellWord).join(" ");
      const limit = (cluster: Cluster) => readingCluster(cluster, () => {});
      return answer(run, script, { limit, ...(render && { render }) });
    },
  };
}

/**
 * The author of a command can write another one, so what this kubectl lacks is an answer. As an error it would end the episode
 * without a score, which an agent could bring about where it has no hope.
 */
function asAnswer(error: unknown): ProbeReply {
  const said = saidOf(error);
  if (said === undefined) throw error;
  return { status: "failed", exitCode: 1, output: said };
}
