import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { connectCluster } from "@microremed/cluster/kubeconfig";
import { terminal as failure } from "@microremed/core";
import { type Finding, type Imported, importEnvironment, readCluster, readSource } from "@microremed/import";
import { plainTable } from "@microremed/scoring";
import { Command } from "commander";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { outputOption } from "../output.ts";

interface Options {
  readonly name?: string;
  readonly namespace?: string;
  readonly to: string;
  readonly force: boolean;
  readonly fromCluster: boolean;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly jaeger?: string;
  readonly output: "table" | "json";
}

/** `microremed environments import`: an environment's folder from manifests or a running system. */
export function importCommand(context: Context): Command {
  return new Command("import")
    .description(
      "make an environment from Kubernetes manifests, or from a namespace of a running cluster; every guess is marked with its confidence",
    )
    .argument(
      "[source]",
      "folder (also a kustomization or a Helm chart), file, archive (tar, tar.gz, zip), or - for stdin",
    )
    .option("--name <name>", "the environment's name; default: that of the source or the namespace")
    .option(
      "--namespace <name>",
      "namespace whose objects are taken; default: the one that most of them name",
    )
    .option("--to <dir>", "catalogue to write to: <dir>/environments/<name>", "my-catalogue")
    .option("--force", "replace an environment that is there", false)
    .option(
      "--from-cluster",
      "read a running cluster: its objects, the use of its containers, its traces",
      false,
    )
    .option("--kubeconfig <path>", "of the running cluster; default: KUBECONFIG")
    .option("--context <name>", "context of the kubeconfig; default: its current context")
    .option("--jaeger <address>", "Jaeger's query service in the cluster, <namespace>/<service>:<port>")
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Examples:
  microremed environments import ./kubernetes --name shop
  helm template shop ./chart | microremed environments import - --name shop
  microremed environments import --from-cluster --namespace shop`,
    )
    .action(async (source: string | undefined, options: Options) => {
      const imported = await tried(await importFrom(context, source, options));
      const folder = await writeFolder(imported, options);
      report(context, imported, folder, options);
    });
}

/** With what a cluster would refuse among the problems. */
async function tried(imported: Imported): Promise<Imported> {
  const { refusedByCluster } = await import("./refused-by-cluster.ts");
  const refused = refusedByCluster(imported.manifests, imported.namespace);
  return { ...imported, problems: [...imported.problems, ...refused] };
}

async function importFrom(context: Context, source: string | undefined, options: Options): Promise<Imported> {
  if (options.fromCluster) return await importCluster(context, source, options);
  if (source === undefined)
    throw failure("invalid-request", "expected a folder, a file, an archive, - for stdin, or --from-cluster");
  const { texts, name, left } = await readSource(source, () => process.stdin, context.signal);
  const imported = importEnvironment({
    name: options.name === undefined ? nameFrom(name) : chosenName(options.name),
    namespace: options.namespace,
    texts,
    source: `manifests of ${source === "-" ? "stdin" : source}; numbers are guesses unless a comment says otherwise`,
  });
  return { ...imported, missing: [...imported.missing, ...left.map((line) => `left out: ${line}`)] };
}

async function importCluster(
  context: Context,
  source: string | undefined,
  options: Options,
): Promise<Imported> {
  const { namespace, name, jaeger, context: kubeContext } = options;
  if (source !== undefined || namespace === undefined)
    throw failure("invalid-request", "expected --from-cluster with --namespace and without a source");
  const kubeconfig = options.kubeconfig ?? context.env["KUBECONFIG"] ?? "";
  if (kubeconfig === "")
    throw failure("invalid-request", "expected --kubeconfig, or the variable KUBECONFIG");
  await using cluster = await connectCluster(
    { name: "source", kubeconfig, arenas: 1, ...(kubeContext !== undefined && { context: kubeContext }) },
    { log: context.log },
  );
  const { texts, observed, missing } = await readCluster(cluster, namespace, {
    jaeger,
    signal: context.signal,
  });
  const imported = importEnvironment({
    name: name === undefined ? nameFrom(namespace) : chosenName(name),
    namespace,
    texts,
    observed,
    source: `the namespace ${namespace} of a running cluster`,
  });
  return { ...imported, missing: [...missing, ...imported.missing] };
}

/** A name that was asked for is taken as it is, or refused. */
function chosenName(name: string): string {
  const fitting = nameFrom(name);
  if (fitting === name) return name;
  throw failure(
    "invalid-request",
    `--name ${JSON.stringify(name.slice(0, 100))}: expected small letters, digits and dashes, such as ${fitting}`,
  );
}

/** Letters, digits and dashes, as names of environments are. */
function nameFrom(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  if (name !== "") return name;
  throw failure("invalid-request", `${JSON.stringify(text)} gives no name; expected --name <name>`);
}

async function writeFolder({ name, files }: Imported, { to, force }: Options): Promise<string> {
  const folder = join(to, "environments", name);
  if (existsSync(folder)) {
    if (!force) throw failure("invalid-request", `${folder} is there already; --force replaces it`);
    await rm(folder, { recursive: true });
  }
  for (const file of files) {
    const path = join(folder, file.name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, file.text);
  }
  return folder;
}

function report({ terminal }: Context, imported: Imported, folder: string, { output }: Options): void {
  const { name, namespace, findings, missing, problems, files } = imported;
  if (output === "json")
    terminal.print(
      JSON.stringify(
        { name, namespace, folder, files: files.map((file) => file.name), findings, missing, problems },
        null,
        2,
      ),
    );
  else {
    const isShown = ({ what }: Finding): boolean => shownKinds.has(what);
    const rows = [...findings.filter(isShown).map(rowOf), ...restOf(findings.filter((one) => !isShown(one)))];
    terminal.print(
      plainTable(
        [["place", "what", "value", "how it is known"], ...rows],
        Math.min(terminal.width, widestTable),
      ),
    );
    for (const line of missing) terminal.say(`missing: ${line}`);
    terminal.say(`${folder}: ${summaryOf(findings)}`);
  }
  for (const line of problems) terminal.say(`cannot be tried yet: ${line}`);
  if (problems.length > 0) process.exitCode = exitCodes.failed.code;
  else terminal.say(`try it: microremed environments check ${folder}`);
}

/** What decides what a system does; of the rest, numbers above all, the table has how many there are. */
const shownKinds: ReadonlySet<string> = new Set(["entry", "from", "call", "runtime", "listens", "dataMount"]);
const widestTable = 80;

/** A row for the values that have none of their own, by how well they are known. */
function restOf(findings: readonly Finding[]): string[][] {
  const groups = Map.groupBy(findings, ({ confidence }) => confidence);
  return [...groups].map(([confidence, all]) => [
    "model.yaml",
    "others",
    all.length === 1 ? "1 value" : `${all.length} values`,
    `${confidence}: ${[...new Set(all.map(({ what }) => what))].join(", ")}`,
  ]);
}

const rowOf = ({ place, what, value, confidence, why }: Finding): string[] => [
  place,
  what,
  value,
  `${confidence}: ${why}`,
];

function summaryOf(findings: readonly Finding[]): string {
  const of = (confidence: string): number => findings.filter((one) => one.confidence === confidence).length;
  return `${of("sure")} values are sure, ${of("likely")} likely, ${of("guess")} guesses`;
}
