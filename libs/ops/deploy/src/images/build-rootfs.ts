import { cp, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { terminal } from "@microremed/core";
import { execa } from "execa";
import { repository } from "../repository.ts";
import { type ImageName, images, readDockerfile } from "./images.ts";
import type { Instruction, Stage } from "./parse-dockerfile.ts";

const stepWithinMs = 900_000;

/** File systems (directories) that replace the images that a Dockerfile starts from. */
export type Bases = Readonly<Record<"NODE" | "DEBIAN", string>>;

export interface RootfsOptions {
  readonly bases: Bases;
  /** Where the stages' file systems go. */
  readonly dir: string;
  readonly say: (line: string) => void;
}

/**
 * Builds an image's file system by following its Dockerfile, without a container engine: a stage is a copy of its base,
 * COPY copies, RUN runs in it. Takes root and bubblewrap. Returns the directory of the last stage.
 */
export async function buildRootfs(name: ImageName, { bases, dir, say }: RootfsOptions): Promise<string> {
  const { stages } = readDockerfile(name);
  const args: Readonly<Record<string, string>> = images[name].args;
  let root = "";
  for (const [index, stage] of stages.entries()) {
    root = join(dir, stage.name ?? `stage-${index}`);
    await copyTree(baseOf(stage, bases, name), root);
    const variables: Record<string, string> = {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    };
    let workingDir = "/";
    for (const instruction of stage.instructions) {
      say(`${name} ${stage.name ?? index}: ${describe(instruction)}`);
      workingDir = await follow(instruction, { root, dir, workingDir, variables, args });
    }
  }
  return root;
}

interface StageState {
  readonly root: string;
  readonly dir: string;
  readonly workingDir: string;
  readonly variables: Record<string, string>;
  readonly args: Readonly<Record<string, string>>;
}

/** Carries out one instruction; returns the working directory after it. */
async function follow(instruction: Instruction, state: StageState): Promise<string> {
  const { root, dir, workingDir, variables, args } = state;
  switch (instruction.kind) {
    case "ARG":
      variables[instruction.name] = args[instruction.name] ?? instruction.value ?? "";
      return workingDir;
    case "ENV":
      variables[instruction.name] = instruction.value ?? "";
      return workingDir;
    case "WORKDIR":
      await mkdir(join(root, instruction.path), { recursive: true });
      return instruction.path;
    case "COPY":
      for (const source of instruction.sources) {
        const from = instruction.from === undefined ? repository : join(dir, instruction.from);
        if (instruction.from === undefined) await assertInContext(source);
        const target = instruction.target.startsWith("/")
          ? instruction.target
          : join(workingDir, instruction.target);
        const into = instruction.target.endsWith("/") ? join(target, source.split("/").at(-1) ?? "") : target;
        await copyTree(join(from, source), join(root, into), instruction.from === undefined);
      }
      return workingDir;
    case "RUN":
      await runInside(root, instruction.script, workingDir, variables);
      return workingDir;
    default:
      // USER, CMD and LABEL decide how the image is started.
      return workingDir;
  }
}

/** Files that .dockerignore excludes must not be copied here either. */
async function assertInContext(source: string): Promise<void> {
  const lines = (await readFile(join(repository, ".dockerignore"), "utf8")).split("\n");
  const allowed = lines.flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));
  const path = source.replace(/^\.\//, "");
  if (allowed.some((one) => path === one || path.startsWith(`${one}/`))) return;
  throw terminal("invalid-config", `COPY ${source}: .dockerignore keeps it out of the build's context`);
}

async function copyTree(source: string, target: string, isContext = false): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  if (isContext) {
    const filter = (path: string): boolean => !path.includes("/node_modules") && !path.endsWith(".log");
    await cp(source, target, { recursive: true, filter });
    return;
  }
  await execa("cp", ["-a", "--reflink=auto", "-T", source, target], { timeout: stepWithinMs });
}

/** Runs a script as root of the file system. The machine's certificates are lent to it, for networks that need their own. */
async function runInside(
  root: string,
  script: string,
  workingDir: string,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const certificates = process.env["NODE_EXTRA_CA_CERTS"];
  const lent = certificates === undefined ? [] : ["--ro-bind", certificates, "/run/lent-ca.crt"];
  const env = {
    ...variables,
    HOME: "/root",
    ...(certificates !== undefined && { NODE_EXTRA_CA_CERTS: "/run/lent-ca.crt" }),
  };
  await execa(
    "bwrap",
    [
      ...["--bind", root, "/", "--cap-add", "ALL", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/run"],
      ...["--ro-bind", "/etc/resolv.conf", "/etc/resolv.conf", ...lent, "--chdir", workingDir, "--clearenv"],
      ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
      ...["--", "/bin/sh", "-c", script],
    ],
    { timeout: stepWithinMs, all: true },
  );
}

function baseOf(stage: Stage, bases: Bases, image: string): string {
  const [, variable] = /^\$\{(\w+)\}$/.exec(stage.base) ?? [];
  if (variable === "NODE" || variable === "DEBIAN") return bases[variable];
  throw terminal("invalid-config", `${image}: FROM ${stage.base} is not pinned in k8s/images/pins.env`);
}

function describe(instruction: Instruction): string {
  switch (instruction.kind) {
    case "RUN":
      return `RUN ${instruction.script.slice(0, 80)}`;
    case "COPY":
      return `COPY ${instruction.sources.join(" ")} ${instruction.target}`;
    default:
      return instruction.kind;
  }
}
