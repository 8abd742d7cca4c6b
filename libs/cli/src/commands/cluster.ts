import { writeFile } from "node:fs/promises";
import { environments } from "@microremed/environments";
import { Command } from "commander";
import type { Context } from "../context.ts";
import { wholeNumber } from "../parse-number.ts";
import { untilAborted } from "../until-aborted.ts";

interface Options {
  readonly kubeconfig: string;
  readonly port: number;
  readonly timeScale: number;
  readonly seed: number;
}

export function clusterCommand(context: Context): Command {
  return new Command("cluster")
    .description("run an embedded cluster alone and write its kubeconfig")
    .option("--kubeconfig <path>", "where the kubeconfig is written", "./kubeconfig")
    .option("--port <n>", "0: any free one", wholeNumber(0, 65_535), 0)
    .option("--time-scale <n>", "speed while somebody holds the clock", wholeNumber(1, 1000), 1)
    .option("--seed <n>", "decides everything random in it", wholeNumber(0, 2 ** 31 - 1), 1)
    .addHelpText(
      "after",
      `
Example:
  microremed cluster --kubeconfig ./kubeconfig &
  microremed manifests online-boutique | kubectl --kubeconfig ./kubeconfig apply -f -
  kubectl --kubeconfig ./kubeconfig get pods -A`,
    )
    .action(async (options: Options) => {
      // Loaded here alone: no other command runs a cluster in this thread.
      const { startSimCluster } = await import("@microremed/simcluster");
      const names = environments.names();
      await using cluster = await startSimCluster({
        name: "embedded",
        seed: options.seed,
        timeScale: options.timeScale,
        environments: names.map((name) => environments.get(name)),
        port: options.port,
      });
      await writeFile(options.kubeconfig, cluster.kubeconfig, { mode: 0o600 });
      context.terminal.say(
        `embedded cluster at ${cluster.url}; kubeconfig in ${options.kubeconfig}; Ctrl-C stops it`,
      );
      await untilAborted(context.signal);
    });
}
