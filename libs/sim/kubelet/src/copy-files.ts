import { type ContainerRuntime, childrenOf, fileAt, locate, type PodSandbox } from "@microremed/sim-machine";

const copyLine = /^\s*cp\s+(?:-\w+\s+)*(\/[\w./*-]+)\s+(\/[\w./-]+\/)\s*$/gm;

/**
 * The copies that the script of a system's init container makes, `cp [-f] <files> <folder>/`: its other lines do not act. What
 * it leaves in volumes is what the pod's programs read at their start.
 */
export function copyFiles(sandbox: PodSandbox, container: ContainerRuntime): void {
  for (const [, files = "", folder = ""] of container.command.join("\n").matchAll(copyLine))
    for (const path of matching(sandbox, container, files)) copy(sandbox, container, path, folder);
}

/** The files that a path means; `*` is any part of a name. */
function matching(sandbox: PodSandbox, container: ContainerRuntime, path: string): string[] {
  const at = path.lastIndexOf("/");
  const name = path.slice(at + 1);
  if (!name.includes("*")) return [path];
  const [head = "", tail = ""] = name.split("*");
  const folder = path.slice(0, at) || "/";
  return childrenOf(locate(sandbox, container, folder))
    .filter((one) => one.startsWith(head) && one.endsWith(tail))
    .map((one) => `${folder}/${one}`);
}

function copy(sandbox: PodSandbox, container: ContainerRuntime, path: string, folder: string): void {
  const content = fileAt(locate(sandbox, container, path));
  const { tree, key } = locate(sandbox, container, `${folder}${path.split("/").at(-1)}`);
  if (content) tree.set(key, content);
}
