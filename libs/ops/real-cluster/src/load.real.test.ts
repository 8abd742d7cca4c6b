import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { repository } from "@microremed/deploy";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installAddons } from "./addons.ts";
import { baseImages } from "./images.ts";
import { whyImpossible } from "./impossible.ts";
import { kubernetesVersions } from "./pins.ts";
import { productImages } from "./product-images.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { type Answers, countedRequests, counterFiles } from "./testing/counter.ts";

const impossible = await whyImpossible();
const withinMs = 3_600_000;
const [version] = kubernetesVersions;
const say = (line: string): void => void process.stderr.write(`${line}\n`);
let cluster: RealCluster;
let catalogue: string;

if (impossible) say(`The test of k6's load on a real Kubernetes is skipped: ${impossible}`);

beforeAll(async () => {
  if (impossible) return;
  catalogue = await mkdtemp(join(tmpdir(), "microremed-load-"));
  const images = [...(await baseImages(say)), ...(await productImages(say))];
  cluster = await startRealCluster({ version, images, say });
  await installAddons(cluster, say);
}, withinMs);

afterAll(async () => {
  if (impossible) return;
  await cluster[Symbol.asyncDispose]();
  await rm(catalogue, { recursive: true, force: true });
}, withinMs);

/** An administrator's; returns what it prints. */
async function kubectl(args: readonly string[], input = ""): Promise<string> {
  const program = join(cluster.programs, "kubectl");
  const { stdout } = await execa(program, ["--kubeconfig", cluster.kubeconfig, ...args], {
    input,
    timeout: withinMs,
  });
  return stdout;
}

/** What `microremed load` prints. */
const loadManifests = (...words: readonly string[]): Promise<string> => printedBy("load", ...words);

async function printedBy(...words: readonly string[]): Promise<string> {
  const program = join(repository, "libs/surface/cli/bin/microremed.mjs");
  const args = [...words, "--catalogue", catalogue];
  return (await execa(process.execPath, [program, ...args], { timeout: withinMs })).stdout;
}

/** Writes an environment that gives these answers. */
async function writeCounter(name: string, answers: Answers): Promise<string> {
  const folder = join(catalogue, "environments", name);
  for (const [file, text] of Object.entries(counterFiles(name, answers))) {
    await mkdir(join(folder, file, ".."), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return folder;
}

/** Deploys a system that gives these answers in a namespace of its own; both have its name. */
async function deployCounter(name: string, answers: Answers): Promise<void> {
  const folder = await writeCounter(name, answers);
  await kubectl(["create", "namespace", name]);
  await kubectl(["-n", name, "apply", "-f", join(folder, "manifests")]);
  await kubectl(["-n", name, "rollout", "status", "deployment", "--timeout=600s"]);
}

interface Job {
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Waits until the Job has ended: `Complete` or `Failed`. */
async function endOf(namespace: string, job: string): Promise<string | undefined> {
  const ended = async (): Promise<string | undefined> => {
    const { status } = JSON.parse(await kubectl(["-n", namespace, "get", "job", job, "-o", "json"])) as Job;
    return status.conditions?.find(
      ({ type, status: is }) => is === "True" && ["Complete", "Failed"].includes(type),
    )?.type;
  };
  await expect.poll(ended, { timeout: withinMs, interval: 2000 }).toBeDefined();
  return ended();
}

test.skipIf(impossible)(
  "the Job completes; as many requests as planned arrive, in the proportions of the mix, also from another namespace",
  async () => {
    await deployCounter("counter", "usual");
    await kubectl(["create", "namespace", "users"]);
    const plan = ["--seconds", "40", "--every", "5", "--pattern", '{"shape":"step","factor":3,"at":20}'];
    const manifests = await loadManifests("counter", "--namespace", "users", "--to", "counter", ...plan);
    await kubectl(["apply", "-f", "-"], manifests);
    expect(await endOf("users", "counter-load")).toBe("Complete");
    say(await kubectl(["-n", "users", "logs", "job/counter-load"]));
    const counted = countedRequests(await kubectl(["-n", "counter", "logs", "deployment/counter"]));
    say(JSON.stringify(counted));
    const all = Object.values(counted).reduce((sum, count) => sum + count, 0);
    // 20 s of 10 a second, and 20 s of 30.
    expect(all).toBeGreaterThan(0.95 * 800);
    expect(all).toBeLessThan(1.05 * 800);
    // Each is drawn by its share, which five standard deviations allow for.
    for (const [request, share] of [
      ["GET /list?page=2", 0.6],
      ["GET /item", 0.3],
      ["POST /order item=7&count=1", 0.1],
    ] as const) {
      const deviation = Math.sqrt((share * (1 - share)) / all);
      expect(Math.abs((counted[request] ?? 0) / all - share), request).toBeLessThan(5 * deviation);
    }
    expect(Object.keys(counted)).toHaveLength(3);
  },
  withinMs,
);

test.skipIf(impossible).each(["errors", "empty"] as const)(
  "the Job fails where the answers are: %s",
  async (answers) => {
    await deployCounter(answers, answers);
    await kubectl(["apply", "-f", "-"], await loadManifests(answers, "--seconds", "10"));
    expect(await endOf(answers, `${answers}-load`)).toBe("Failed");
    const said = await kubectl(["-n", answers, "logs", `job/${answers}-load`]);
    expect(said).toMatch(/thresholds on metrics 'answered' have been crossed/);
    expect(
      Object.keys(countedRequests(await kubectl(["-n", answers, "logs", `deployment/${answers}`]))),
    ).not.toEqual([]);
  },
  withinMs,
);

test.skipIf(impossible)(
  "the load generator of an arena sends the mix without an end, also after its Service was made again and its pod replaced",
  async () => {
    const name = "steady";
    await writeCounter(name, "usual");
    const manifests = await printedBy("manifests", name, "--load-generator");
    await kubectl(["apply", "-f", "-"], manifests);
    await kubectl(["-n", name, "rollout", "status", "deployment", "--timeout=600s"]);
    const counted = async (): Promise<number> =>
      Object.values(
        countedRequests(await kubectl(["-n", name, "logs", `deployment/${name}`, "--tail=-1"])),
      ).reduce((sum, count) => sum + count, 0);
    /** Of the 400 of 40 s. Both readings take time. */
    const countedIn40s = async (): Promise<number> => {
      const before = await counted();
      await delay(40_000);
      return (await counted()) - before;
    };
    const usual = await countedIn40s();
    expect(usual).toBeGreaterThan(360);
    expect(usual).toBeLessThan(480);
    await kubectl(["-n", name, "delete", "service", name]);
    await delay(15_000);
    await kubectl(["apply", "-f", "-"], manifests);
    await delay(5_000);
    expect(await countedIn40s()).toBeGreaterThan(360);
    const pods = JSON.parse(
      await kubectl(["-n", name, "get", "pods", "-l", "app=load-generator", "-o", "json"]),
    );
    expect(pods.items[0].status.containerStatuses[0].restartCount).toBe(0);
    expect(pods.items[0].spec.volumes.map((one: { readonly name: string }) => one.name)).toEqual(["script"]);
    expect(await kubectl(["-n", name, "logs", "deployment/load-generator"])).toMatch(/no such host/);
    await kubectl(["-n", name, "delete", "pod", "-l", "app=load-generator"]);
    await kubectl(["-n", name, "rollout", "status", "deployment", "--timeout=600s"]);
    expect(await countedIn40s()).toBeGreaterThan(360);
  },
  withinMs,
);

test.skipIf(impossible)(
  "the Job of simple-micro completes on simple-micro as it is",
  async () => {
    await kubectl(["create", "namespace", "simple-micro"]);
    const folder = join(repository, "libs/catalogue/environments/simple-micro/manifests");
    await kubectl(["-n", "simple-micro", "apply", "-f", folder]);
    await kubectl(["-n", "simple-micro", "rollout", "status", "deployment", "--timeout=600s"]);
    await kubectl(["apply", "-f", "-"], await loadManifests("simple-micro", "--seconds", "40"));
    expect(await endOf("simple-micro", "simple-micro-load")).toBe("Complete");
    say(await kubectl(["-n", "simple-micro", "logs", "job/simple-micro-load"]));
  },
  withinMs,
);
