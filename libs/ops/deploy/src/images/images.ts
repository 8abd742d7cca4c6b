import { readFileSync } from "node:fs";
import { join } from "node:path";
import { k8sRoot } from "../places.ts";
import { type Dockerfile, type Instruction, parseDockerfile } from "./parse-dockerfile.ts";

/** The images that we build: a Dockerfile and its build arguments. */
export const images = {
  services: { file: "node.Dockerfile", args: {} },
  range: { file: "node.Dockerfile", args: { WORKSPACES: "libs/surface/cli" } },
  executor: { file: "executor.Dockerfile", args: {} },
} as const satisfies Record<string, { file: string; args: Record<string, string> }>;
export type ImageName = keyof typeof images;

export function readDockerfile(name: ImageName): Dockerfile {
  const path = join(k8sRoot, "images", images[name].file);
  return parseDockerfile(readFileSync(path, "utf8"), path);
}

/** What a container of an image starts with, unless its manifest says otherwise. */
export interface ImageDefaults {
  readonly workingDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly command: readonly string[];
}

/** Every image's, by Docker's own rules. */
const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The defaults that the last stage of one of our Dockerfiles sets. */
export function imageDefaults(name: ImageName): ImageDefaults {
  const instructions = readDockerfile(name).stages.at(-1)?.instructions ?? [];
  const last = <K extends Instruction["kind"]>(kind: K) =>
    instructions.findLast((one): one is Extract<Instruction, { kind: K }> => one.kind === kind);
  const set = instructions.flatMap((one) => (one.kind === "ENV" ? [[one.name, one.value ?? ""]] : []));
  return {
    workingDir: last("WORKDIR")?.path ?? "/",
    env: { PATH: defaultPath, ...Object.fromEntries(set) },
    user: last("USER")?.user ?? "0:0",
    command: last("CMD")?.argv ?? [],
  };
}
