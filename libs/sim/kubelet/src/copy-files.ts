import { type ContainerRuntime, childrenOf, fileAt, locate, type PodSandbox } from "@microremed/sim-machine";

const copyCommand = /^\s*cp\s+(?:-\w+\s+)*(\/[\w./*-]+)\s+(\/[\w./-]+)\s*$/;

/**
 * The copies that the script of a system's init container makes, `cp [-f] <files> <folder>/` and `cp [-f] <file> <file>`: its
 * other commands do not act. What it leaves in volumes is what the pod's programs read at their start.
 */
export function copyFiles(sandbox: PodSandbox, container: ContainerRuntime): void {
  for (const command of container.command.join("\n").split(/\n|;|&&/)) {
    const [, files, to] = copyCommand.exec(command) ?? [];
    if (files === undefined || to === undefined) continue;
    for (const path of matching(sandbox, container, files)) copy(sandbox, container, path, to);
  }
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

/** `to`: a folder if it ends in a slash, else the file's new name. */
function copy(sandbox: PodSandbox, container: ContainerRuntime, path: string, to: string): void {
  const content = fileAt(locate(sandbox, container, path));
  const target = to.endsWith("/") ? `${to}${path.split("/").at(-1)}` : to;
  const { tree, key } = locate(sandbox, container, target);
  if (content) tree.set(key, content);
}
