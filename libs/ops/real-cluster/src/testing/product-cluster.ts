import { join } from "node:path";
import { execa } from "execa";
import { installAddons } from "../addons.ts";
import { baseImages } from "../images.ts";
import { ownImages } from "../own-images.ts";
import { kubernetesVersions } from "../pins.ts";
import { productImages } from "../product-images.ts";
import { type RealCluster, startRealCluster } from "../real-cluster.ts";
import { type OperatorsComputer, startComputer } from "./operators-computer.ts";

/** A drain waits for pods to end. */
const withinMs = 900_000;

/** A real cluster on which the range can run, and the computer of its operator. */
export interface ProductCluster extends AsyncDisposable {
  readonly cluster: RealCluster;
  /** An administrator's; returns what it prints. */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  readonly computer: OperatorsComputer;
}

/** Starts a cluster that enforces network policies and has the range's images. */
export async function startProductCluster(
  nodes: number,
  say: (line: string) => void,
): Promise<ProductCluster> {
  await using started = new AsyncDisposableStack();
  const images = [...(await baseImages(say)), ...(await productImages(say)), ...(await ownImages(say))];
  const [version] = kubernetesVersions;
  const cluster = started.use(
    await startRealCluster({ version, nodes, images, enforcesPolicies: true, say }),
  );
  await installAddons(cluster, say);
  const { kubeconfig, programs } = cluster;
  const computer = started.use(await startComputer(await cluster.attachComputer(), cluster, say));
  const owned = started.move();
  return {
    cluster,
    async kubectl(args, input = "") {
      const program = join(programs, "kubectl");
      const ran = await execa(program, ["--kubeconfig", kubeconfig, ...args], { input, timeout: withinMs });
      return ran.stdout;
    },
    computer,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A pod, as far as the tests of the range read it. */
export interface ProductPod {
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly spec: { readonly nodeName: string; readonly activeDeadlineSeconds?: number };
  readonly status: { readonly podIP: string };
}

/** The pods that `kubectl get pods` with these arguments lists. */
export async function podsOf(
  { kubectl }: Pick<ProductCluster, "kubectl">,
  where: readonly string[],
): Promise<readonly ProductPod[]> {
  const listed = await kubectl(["get", "pods", ...where, "-o", "json"]);
  return (JSON.parse(listed) as { readonly items: readonly ProductPod[] }).items;
}
