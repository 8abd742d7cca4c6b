import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathWithSbin } from "@microremed/servers";
import { execa } from "execa";
import { load } from "js-yaml";
import { processesWhere } from "./processes.ts";

/** What says which traces on this machine are a cluster's. */
export interface Marks {
  /** Its folder. */
  readonly dir: string;
  /** The address of its first machine. */
  readonly address: string;
  /** The bridge of its machines. */
  readonly bridge: string;
}

const options = { env: { PATH: pathWithSbin }, timeout: 60_000 };

/** The marks of a cluster that runs, from the kubeconfig in its folder. */
export async function marksOf(kubeconfig: string): Promise<Marks> {
  const { clusters } = load(await readFile(kubeconfig, "utf8")) as {
    clusters: readonly { cluster: { server: string } }[];
  };
  const { hostname: address } = new URL(clusters[0]?.cluster.server ?? "");
  const { stdout } = await execa("ip", ["-o", "route", "get", address], options);
  const [, bridge] = /\bdev (\S+)/.exec(stdout) ?? [];
  if (bridge === undefined) throw new Error(`no device leads to ${address}: ${stdout}`);
  return { dir: dirname(dirname(kubeconfig)), address, bridge };
}

/** What there is of a cluster on this machine, in words. */
export async function tracesOf({ dir, address, bridge }: Marks): Promise<string[]> {
  const group = `microremed-${address}`;
  const isOurs = new RegExp(`\\b${bridge}\\b`);
  const lines = async (program: string, ...args: string[]): Promise<string[]> =>
    (await execa(program, args, options)).stdout.split("\n").filter((line) => isOurs.test(line));
  const processes = await processesWhere((words, groups) =>
    [dir, group].some((text) => `${words}\n${groups}`.includes(text)),
  );
  const mounts = (await readFile("/proc/mounts", "utf8")).split("\n");
  return [
    ...processes.map(({ pid, words }) => `process ${pid} ${words}`),
    ...(await controlGroupsWith(group)),
    ...mounts.filter((line) => line.includes(dir)).map((line) => `mount ${line}`),
    ...(await lines("ip", "-o", "link")).map((line) => `link ${line}`),
    ...(await lines("ip", "netns", "list")).map((line) => `network namespace ${line}`),
    ...(await lines("iptables-save")).map((line) => `packet filter ${line}`),
  ];
}

async function controlGroupsWith(text: string): Promise<string[]> {
  const root = "/sys/fs/cgroup";
  const hierarchies = (await readdir(root, { withFileTypes: true })).filter((one) => one.isDirectory());
  const folders = [root, ...hierarchies.map(({ name }) => join(root, name))];
  const names = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))),
  );
  return names
    .flat()
    .filter((path) => path.includes(text))
    .map((path) => `control group ${path}`);
}
