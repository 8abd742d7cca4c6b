import {
  type ContainerRuntime,
  fileAt,
  isDirectory,
  locate,
  normalized,
  type PodSandbox,
} from "@microremed/sim-machine";

const notThere = "No such file or directory";

/** The file that a probe's command looks for, and what the command says when it is not there. */
function lookedFor(
  command: readonly string[],
): { readonly path: string; readonly complaint: string } | undefined {
  const [program = "", ...args] = command;
  if (/(^|\/)(sh|bash|ash)$/.test(program) && args[0] === "-c") {
    const words = (args[1] ?? "").trim().split(/\s+/);
    return /[|;&<>$`]/.test(args[1] ?? "") ? undefined : lookedFor(words);
  }
  const path = args.find((arg) => arg.startsWith("/"));
  if (path === undefined) return undefined;
  if (program === "cat") return { path, complaint: `cat: can't open '${path}': ${notThere}` };
  if (program === "ls") return { path, complaint: `ls: ${path}: ${notThere}` };
  return program === "test" || program === "[" ? { path, complaint: "" } : undefined;
}

/** The error of a probe that looks for a file (`cat`, `ls`, `test -f`); undefined: nothing. */
export function fileComplaint(
  sandbox: PodSandbox,
  container: ContainerRuntime,
  command: readonly string[],
): string | undefined {
  if (command.length === 1 && /(^|\/)false$/.test(command[0] ?? "")) return "";
  const wanted = lookedFor(command);
  if (!wanted) return undefined;
  const place = locate(sandbox, container, normalized(wanted.path));
  return fileAt(place) || isDirectory(place) ? undefined : wanted.complaint;
}
