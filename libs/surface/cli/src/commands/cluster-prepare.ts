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

/** `microremed cluster prepare`: turns your cluster into a cluster under test. */
export function clusterPrepareCommand(context: Context): Command {
  return new Command("prepare")
    .description(
      "install and check the requirements of a cluster under test, and write the services' kubeconfigs",
    )
    .requiredOption("--kubeconfig <path>", "kubeconfig of the cluster, with an administrator's rights")
    .option("--context <name>", "context of the kubeconfig; default: its current context")
    .option("--name <name>", "the cluster's name in the clusters file", "staging")
    .option("--out <dir>", "directory for the services' kubeconfigs: <dir>/<service>/<name>", "./kubeconfigs")
    .option("--namespaces <name...>", "namespaces of arenas, which get a quota", [])
    .option(
      "--pods <n>",
      "maximum pods that the quota allows in each of these namespaces",
      wholeNumber(1, 10_000),
      200,
    )
    .option(
      "--chaos-mesh-manifests <file>",
      "Chaos Mesh manifests rendered elsewhere, if helm is not installed",
    )
    .option("--dry-run", "print the changes without making them")
    .addHelpText(
      "after",
      `
A second run changes only what is missing or different.

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
      if (changes.length === 0) context.terminal.say("nothing to change");
      context.terminal.print(checksTable(state.checks, context.terminal.width));
      const ok = dryRun || state.checks.every((check) => check.ok);
      process.exitCode = (ok ? exitCodes.ok : exitCodes.unavailable).code;
    });
}
