import { dirname, resolve } from "node:path";
import { AppError, terminal } from "@microremed/core";
import { Command, InvalidArgumentError, Option } from "commander";
import { installAddons } from "./addons.ts";
import { copyKubeconfig } from "./copy-kubeconfig.ts";
import { exists } from "./exists.ts";
import { fillCache } from "./fill-cache.ts";
import { baseImages } from "./images.ts";
import { whyImpossible } from "./impossible.ts";
import { type KubernetesVersion, kubernetesVersions } from "./pins.ts";
import { productImages } from "./product-images.ts";
import { startRealCluster } from "./real-cluster.ts";

interface Options {
  readonly kubernetes: KubernetesVersion;
  readonly nodes: number;
  readonly kubeconfig?: string;
  readonly networkPolicies?: boolean;
  readonly buildOnly?: boolean;
}

const mostNodes = 5;
const say = (line: string): void => void process.stderr.write(`${line}\n`);

function numberOfNodes(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > mostNodes)
    throw new InvalidArgumentError(`A whole number from 1 to ${mostNodes} is expected.`);
  return value;
}

/** Resolves at Ctrl-C or SIGTERM. */
function untilStopped(): Promise<void> {
  const { promise, resolve: stop } = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop());
  return promise;
}

/** An error of the work comes with one of what had to be undone after it. */
const messageOf = (thrown: unknown): string =>
  thrown instanceof SuppressedError
    ? `${messageOf(thrown.suppressed)}\nerror: ${messageOf(thrown.error)}`
    : AppError.from(thrown).message;

async function buildAll(): Promise<void> {
  const impossible = await whyImpossible(["buildah", "debootstrap"]);
  if (impossible) throw terminal("missing-tool", `not all can be built here: ${impossible}`);
  await fillCache(say);
}

async function runCluster({
  kubernetes,
  nodes,
  kubeconfig,
  networkPolicies = false,
}: Options): Promise<void> {
  const copy = kubeconfig === undefined ? undefined : resolve(kubeconfig);
  if (copy !== undefined && !(await exists(dirname(copy))))
    throw terminal("invalid-config", `--kubeconfig ${kubeconfig}: there is no folder ${dirname(copy)}`);
  const impossible = await whyImpossible();
  if (impossible) throw terminal("missing-tool", `no cluster can be started here: ${impossible}`);
  await using cluster = await startRealCluster({
    version: kubernetes,
    nodes,
    enforcesPolicies: networkPolicies,
    images: [...(await baseImages(say)), ...(await productImages(say))],
    say,
  });
  await installAddons(cluster, say);
  await using _copied = copy === undefined ? undefined : await copyKubeconfig(cluster.kubeconfig, copy);
  const stopped = untilStopped();
  process.stdout.write(
    `export KUBECONFIG=${copy ?? cluster.kubeconfig}\nexport REGISTRY=${cluster.registry}\n`,
  );
  say("Kubernetes runs. Ctrl-C ends it and removes all of it.");
  await stopped;
  say("ending");
}

const command = new Command("real-cluster")
  .description("run a real Kubernetes on this machine until Ctrl-C")
  .addOption(
    new Option("--kubernetes <version>", "its version")
      .choices(kubernetesVersions)
      .default(kubernetesVersions[0]),
  )
  .option("--nodes <n>", "how many nodes", numberOfNodes, 1)
  .option("--network-policies", "enforce NetworkPolicies")
  .option(
    "--kubeconfig <file>",
    "where an administrator's kubeconfig is written (default: in its own folder)",
  )
  .option(
    "--build-only",
    "build all programs and images of the tests that are not built yet, and start nothing",
  )
  .action((options: Options) => (options.buildOnly ? buildAll() : runCluster(options)));

try {
  await command.parseAsync();
} catch (thrown) {
  command.error(`error: ${messageOf(thrown)}`);
}
