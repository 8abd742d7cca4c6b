import { imageTools, officialName } from "@microremed/environments";
import type { ContainerRuntime } from "./machine.ts";

/** The applets that matter of busybox 1.35. */
const busybox =
  "sh ash awk base64 basename cat chmod chown clear cp cut date dd df diff dirname du echo egrep env expr fallocate false fgrep find free grep gunzip gzip head hostname id kill killall ls md5sum mkdir mv nc netstat nslookup od ping pgrep pkill printenv printf ps pwd readlink rm rmdir sed seq sha256sum sleep sort stat tail tar tee test [ timeout top touch tr true tty uname uniq uptime wc wget which whoami xargs zcat tac tree split comm paste fold nl nohup setsid expand rev sha1sum strings".split(
    " ",
  );

/** GNU coreutils, and what every Debian-like image has beside it, such as mawk. */
const coreutils =
  "awk base64 basename cat chmod chown comm cp cut date dd df dirname du echo env expand expr fallocate false fold head hostname id join kill ln ls md5sum mkdir mv nl nohup od paste printenv printf pwd readlink rm rmdir seq sha1sum sha256sum sleep sort split stat tac tail tee test [ timeout touch tr true tty uname uniq uptime wc whoami".split(
    " ",
  );

/** What Debian installs everywhere, and a slim Red Hat or Oracle Linux has in packages of their own. */
const debianOnly = ["find", "xargs", "which", "diff"];
/** Java's images since 12, but for those that name another system. */
const onOracleLinux = /(^|\/)openjdk:(latest|1[2-9]|2\d)(\.[\d.]+)?(-jdk)?(-oracle(linux\d)?)?$/;

/** Sets behind names in Behaviour.tools. */
const sets: Readonly<Record<string, readonly string[]>> = {
  busybox,
  coreutils: [...coreutils, ...debianOnly],
  bash: ["bash", "sh"],
  grep: ["grep", "egrep", "fgrep"],
  gzip: ["gzip", "gunzip", "zcat"],
  ps: ["ps", "top", "free", "uptime", "pgrep", "pkill"],
  procps: ["ps", "top", "free", "uptime", "pgrep", "pkill"],
};

export interface Toolbox {
  readonly programs: readonly string[];
  readonly flavour: "busybox" | "gnu";
  readonly shell: "sh" | "bash" | "none";
}

const nothing: Toolbox = { programs: [], flavour: "gnu", shell: "none" };

/** Programs that run what others have written. */
const interpreters: ReadonlySet<string> = new Set(
  "python python2 python3 pip pip3 node nodejs npm npx yarn java javac ruby gem perl php go dotnet deno bun lua".split(
    " ",
  ),
);
/** Images whose program by itself is a shell or a prompt: without a terminal it ends at once. */
const prompts: ReadonlySet<string> = new Set(
  "alpine bash busybox debian golang node openjdk perl php python ruby ubuntu".split(" "),
);

/** Whether a program is an interpreter that an image is known not to have. */
export function lacksInterpreter(image: string, program: string): boolean {
  const name = program.split("/").pop() ?? "";
  return interpreters.has(name) && officialName(image) !== undefined && !guess(image).programs.includes(name);
}

/** Whether an image is a bare system or language: what it runs is brought along or in the command. */
export function isBareImage(image: string): boolean {
  return prompts.has(officialName(image) ?? "");
}

/** Whether a program runs what others have written, such as `python3`. */
export const isInterpreter = (program: string): boolean => interpreters.has(program.split("/").pop() ?? "");

function expand(tools: readonly string[]): readonly string[] {
  return [...new Set(tools.flatMap((tool) => sets[tool] ?? [tool]))];
}

/** What an image that the environment says nothing about is likely to hold. */
function guess(image: string): Toolbox {
  const { tools, shell } = imageTools(image);
  if (shell === "none") return nothing;
  const programs = expand(tools);
  return {
    programs: onOracleLinux.test(image) ? programs.filter((name) => !debianOnly.includes(name)) : programs,
    flavour: tools.includes("busybox") ? "busybox" : "gnu",
    shell,
  };
}

/** The programs that a public image is likely to hold. */
export const programsOfImage = (image: string): readonly string[] => guess(image).programs;

const toolboxes = new WeakMap<ContainerRuntime, Toolbox>();

/** The programs in a container's image. */
export function toolboxOf(container: ContainerRuntime): Toolbox {
  const known = toolboxes.get(container);
  if (known) return known;
  const made = findTools(container);
  toolboxes.set(container, made);
  return made;
}

function findTools({ behaviour, image }: ContainerRuntime): Toolbox {
  if (!behaviour) return guess(image);
  const { tools, shell } = behaviour;
  const shells = { sh: ["sh"], bash: ["sh", "bash"], none: [] }[shell];
  const programs = new Set([...expand(tools), ...shells]);
  if (shell === "none") for (const name of ["sh", "ash", "bash"]) programs.delete(name);
  return { programs: [...programs], flavour: tools.includes("busybox") ? "busybox" : "gnu", shell };
}
