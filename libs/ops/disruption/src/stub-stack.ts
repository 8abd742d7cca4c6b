import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "@microremed/core";
import { type Stack, startStack, type Variables } from "@microremed/stack";

/** How many processes and clusters there are, and how long a stage takes. */
export interface StubStackOptions {
  readonly dir: string;
  /** Where the stages write their effects. */
  readonly ledger: string;
  /** Effects per stage, 15 ms each. Default 3; 0: every stage answers at once. */
  readonly steps?: number;
  /** Clusters that exist by name only, with 16 arenas each. */
  readonly clusters: number;
  /** Processes of the scheduler, and of the stub that serves all stages. */
  readonly schedulers: number;
  readonly stages: number;
  /** Environment variables of a process, in addition to those of a stack. */
  readonly variables?: (name: string, given: Variables) => Promise<Variables>;
  readonly log: Logger;
}

const arenasPerCluster = 16;

/** The real NATS, Redis and schedulers as processes, with stub stages: for trials of the machinery itself. */
export async function startStubStack(options: StubStackOptions): Promise<Stack> {
  const { dir, ledger, steps, schedulers, stages, variables, log } = options;
  const clusters = Array.from({ length: options.clusters }, (_, i) => ({
    name: `stub-${i + 1}`,
    kubeconfig: "nowhere",
    arenas: arenasPerCluster,
  }));
  await mkdir(dir, { recursive: true });
  const clustersFile = join(dir, "clusters.yaml");
  await writeFile(clustersFile, JSON.stringify({ clusters }));
  return startStack({
    dir: join(dir, "stack"),
    clusters: clustersFile,
    replicas: { scheduler: schedulers, injector: stages, executor: 0, verifier: 0, remediator: 0 },
    // It replaces all of them.
    users: { injector: "admin" },
    mains: { injector: fileURLToPath(new URL("./stub-stages.ts", import.meta.url)) },
    variables: async (name, given) => ({
      LOG_FILE_OF_EFFECTS: ledger,
      ...(steps !== undefined && { STEPS: String(steps) }),
      ...(await variables?.(name, given)),
    }),
    logLevel: "warn",
    log,
  });
}
