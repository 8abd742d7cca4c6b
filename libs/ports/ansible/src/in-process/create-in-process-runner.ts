import { fenceCluster } from "@microremed/cluster";
import type { Execution } from "@microremed/contracts";
import { AppError } from "@microremed/core";
import type { OpenAccess } from "@microremed/kubectl/in-process";
import { clipOutput, readPlaybook } from "../read-playbook.ts";
import type { PlaybookRun, PlaybookRunner } from "../runner.types.ts";
import { checkInterpretable } from "./check-interpretable.ts";
import type { Place } from "./module.types.ts";
import { OutOfTime } from "./out-of-time.ts";
import { createRecap, type Recap } from "./recap.ts";
import { runPlays } from "./run-plays.ts";

/** Ansible's own for a host that failed. */
const failedCode = 2;

/**
 * Runs playbooks in this process, over the port of clusters: a documented subset of Ansible, read by the same parser and
 * guard. Nothing of the playbook runs as a program. What the subset lacks is thrown (`not-simulated`), before anything
 * was run if its text shows it.
 */
export function createInProcessRunner(open: OpenAccess): PlaybookRunner {
  return async (run) => {
    const read = await readPlaybook(run);
    if (!read.ok) return read.execution;
    checkInterpretable(read.plays);
    const { cluster, namespace } = open(run.kubeconfig);
    const startedAt = await cluster.clock.now();
    const endsAt = startedAt + run.timeoutMs;
    const fenced = run.mayPass ? fenceCluster(cluster, run.mayPass) : cluster;
    const place: Place = { cluster: fenced, namespace, endsAt, signal: run.signal };
    const recap = createRecap();
    const how = await runToEnd(() => runPlays(read.plays, place, recap));
    run.signal?.throwIfAborted();
    const wallSeconds = ((await cluster.clock.now()) - startedAt) / 1000;
    return { ...endOf(how, recap, run), wallSeconds };
  };
}

type How = "ok" | "failed" | "timed-out";

async function runToEnd(plays: () => Promise<boolean>): Promise<How> {
  try {
    return (await plays()) ? "ok" : "failed";
  } catch (error) {
    if (error instanceof OutOfTime) return "timed-out";
    throw AppError.from(error);
  }
}

function endOf(how: How, recap: Recap, run: PlaybookRun): Omit<Execution, "wallSeconds"> {
  const note = how === "timed-out" ? `[stopped: still running after ${run.timeoutMs / 1000} s]` : "";
  const exitCode = { ok: 0, failed: failedCode, "timed-out": null }[how];
  return { status: how, exitCode, output: clipOutput(`${recap.text()}${note}`, run) };
}
