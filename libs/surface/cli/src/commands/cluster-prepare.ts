import { createKubectl, prepareTarget } from "@microremed/deploy";
import { Command } from "commander";
import { checksTable } from "../checks-table.ts";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { wholeNumber } from "../parse-number.ts";

interface Options {
  readonly kubeconfig: string;
  readonly context?: string;
  readonly name: string;
  readonly out: string;
  readonly namespaces: readonly string[];
  readonly pods: number;
  readonly chaosMeshManifests?: string;
  readonly dryRun?: boolean;
}

/** `microremed cluster prepare`: a cluster of one's own becomes one under test. */
export function clusterPrepareCommand(context: Context): Command {
  return new Command("prepare")
    .description("install and check what a cluster under test needs, and write the services' kubeconfigs")
    .requiredOption("--kubeconfig <path>", "of the cluster, with an administrator's rights")
    .option("--context <name>", "of the kubeconfig; default: its current one")
    .option("--name <name>", "the cluster's name in the clusters file", "staging")
    .option("--out <dir>", "where the services' kubeconfigs go: <dir>/<service>/<name>", "./kubeconfigs")
    .option("--namespaces <name...>", "arenas that get a quota", [])
    .option("--pods <n>", "that quota", wholeNumber(1, 10_000), 200)
    .option("--chaos-mesh-manifests <file>", "rendered elsewhere, where there is no helm")
    .option("--dry-run", "only say what would be done")
    .addHelpText(
      "after",
      `
Run again, it changes only what is missing or different.

Example:
  microremed cluster prepare --kubeconfig ~/.kube/config --name staging
  kubectl -n microremed-system create secret generic injector-kubeconfigs --from-file=kubeconfigs/injector`,
    )
    .action(async (options: Options) => {
      const { pods, dryRun = false, context: kubeContext, kubeconfig } = options;
      const { changes, state } = await prepareTarget({
        ...options,
        kubectl: createKubectl(kubeconfig, kubeContext),
        podsPerArena: pods,
        dryRun,
      });
      const heading = dryRun ? "would change" : "changed";
      for (const change of changes) context.terminal.say(`${heading}: ${change}`);
      if (changes.length === 0) context.terminal.say("nothing had to be changed");
      context.terminal.print(checksTable(state.checks));
      const ok = dryRun || state.checks.every((check) => check.ok);
      process.exitCode = (ok ? exitCodes.ok : exitCodes.unavailable).code;
    });
}
