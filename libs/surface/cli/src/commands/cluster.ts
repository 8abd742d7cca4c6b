import { writeFile } from "node:fs/promises";
import { connectCluster } from "@microremed/cluster/kubeconfig";
import type { SimCluster } from "@microremed/simcluster";
import { Command, Option } from "commander";
import { dump, load } from "js-yaml";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import type { Context } from "../context.ts";
import { readAuthority, readTokens } from "../embedded-access.ts";
import { wholeNumber } from "../parse-number.ts";
import { readObjects } from "../read-objects.ts";
import { untilAborted } from "../until-aborted.ts";
import { clusterPrepareCommand } from "./cluster-prepare.ts";

interface Options extends CatalogueOptions {
  readonly kubeconfig: string;
  readonly host: string;
  readonly port: number;
  readonly count: number;
  readonly timeScale: number;
  readonly seed: number;
  readonly hostName: readonly string[];
  readonly authority?: string;
  readonly tokens?: string;
  readonly manifests?: string;
  readonly images?: "any" | "known";
}

export function clusterCommand(context: Context): Command {
  return (
    new Command("cluster")
      // `prepare` has a --kubeconfig of its own.
      .enablePositionalOptions()
      .option("--kubeconfig <path>", "file for the kubeconfig, one context per cluster", "./kubeconfig")
      .option("--host <address>", "address to listen on", "127.0.0.1")
      .option(
        "--port <n>",
        "port of the first cluster; the others use the next ports; 0: any free ports",
        wholeNumber(0, 65_535),
        0,
      )
      .option("--count <n>", "number of clusters, one arena each", wholeNumber(1, 8), 1)
      .option(
        "--time-scale <n>",
        "speed of cluster time while a client holds the clock (an open request to /microremed/clock); otherwise 1",
        wholeNumber(1, 1000),
        1,
      )
      .option("--seed <n>", "seed for everything random in the clusters", wholeNumber(0, 2 ** 31 - 1), 1)
      .option("--host-name <name...>", "host names for the server certificate", [])
      .option("--authority <dir>", "directory with tls.crt and tls.key of the CA to use; default: a new CA")
      .option("--tokens <dir>", "directory with a token file for each service account of the harness")
      .option("--manifests <dir>", "directory with YAML files of objects to create in every cluster")
      .addOption(
        new Option(
          "--images <which>",
          "images that nodes can pull: known: those of the catalogue's environments, in the versions that these have, and common public ones; any: of all other repositories, too; such an image runs as its command, ports and probes imply; default: any, with --tokens known",
        ).choices(["any", "known"]),
      )
      .addOption(catalogueOption(context))
      .addHelpText(
        "after",
        `
Example:
  microremed cluster --kubeconfig ./kubeconfig &
  microremed manifests online-boutique | kubectl --kubeconfig ./kubeconfig apply -f -
  kubectl --kubeconfig ./kubeconfig get pods -A
  kubectl --kubeconfig ./kubeconfig apply -f ./my-manifests`,
      )
      .action((options: Options) => runClusters(context, options))
      .addCommand(clusterPrepareCommand(context))
  );
}

async function runClusters(context: Context, options: Options): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const clusters = await startClusters(context, options, stack);
  await writeFile(options.kubeconfig, mergeKubeconfigs(clusters), { mode: 0o600 });
  if (options.manifests !== undefined)
    await applyToAll(context, clusters, options.kubeconfig, options.manifests);
  const urls = clusters.map(({ url }) => url).join(", ");
  context.terminal.say(
    `embedded ${clusters.length === 1 ? "cluster" : "clusters"} at ${urls}; kubeconfig in ${options.kubeconfig}; Ctrl-C stops`,
  );
  await untilAborted(context.signal);
}

async function startClusters(
  context: Context,
  options: Options,
  stack: AsyncDisposableStack,
): Promise<SimCluster[]> {
  // Loaded here alone: no other command runs a cluster in this thread.
  const { startSimCluster } = await import("@microremed/simcluster");
  const { count, host, port, seed, timeScale } = options;
  const authority = options.authority === undefined ? {} : await readAuthority(options.authority);
  const users = options.tokens === undefined ? [] : await readTokens(options.tokens);
  // What their images run.
  const systems = (await catalogueOf(context, options)).environments.all();
  const clusters: SimCluster[] = [];
  for (let index = 0; index < count; index += 1) {
    const cluster = stack.use(
      await startSimCluster({
        name: count === 1 ? "embedded" : `embedded-${index + 1}`,
        seed,
        timeScale,
        environments: systems,
        otherImages: (options.images ?? (options.tokens === undefined ? "any" : "known")) === "any",
        host,
        port: port === 0 ? 0 : port + index,
        users,
        ...((options.authority !== undefined || options.hostName.length > 0) && {
          identity: { ...authority, hosts: [host, ...options.hostName] },
        }),
      }),
    );
    clusters.push(cluster);
  }
  return clusters;
}

async function applyToAll(
  { log }: Context,
  clusters: readonly SimCluster[],
  kubeconfig: string,
  manifests: string,
): Promise<void> {
  const objects = await readObjects(manifests);
  for (const { name } of clusters) {
    await using cluster = await connectCluster({ name, kubeconfig, context: name, arenas: 1 }, { log });
    for (const object of objects) await cluster.apply(object);
  }
}

interface Kubeconfig {
  readonly clusters: readonly unknown[];
  readonly users: readonly unknown[];
  readonly contexts: readonly unknown[];
}

/** The first cluster's context is the current one. */
function mergeKubeconfigs(clusters: readonly SimCluster[]): string {
  const all = clusters.map(({ kubeconfig }) => load(kubeconfig) as Kubeconfig);
  return dump({
    ...all[0],
    clusters: all.flatMap((one) => one.clusters),
    users: all.flatMap((one) => one.users),
    contexts: all.flatMap((one) => one.contexts),
  });
}
