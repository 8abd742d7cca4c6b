import { realpathSync } from "node:fs";
import { type ImageDefaults, type ImageName, imageDefaults, images } from "../images/images.ts";
import { repository } from "../repository.ts";
import type { ContainerPlan } from "./container-plan.ts";

const node = realpathSync(process.execPath);
const ours = (image: string): ImageName | undefined => {
  const name = /^(?:.*\/)?microremed\/([a-z]+)[:@]/.exec(image)?.[1];
  return name !== undefined && name in images ? (name as ImageName) : undefined;
};
const foreign: ImageDefaults = {
  workingDir: "/",
  env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" },
  user: "0:0",
  command: [],
};

/** What of /etc programs need to start; the rest of the machine's is not there. */
const etc = [
  "alternatives",
  "ca-certificates",
  "ld.so.cache",
  "localtime",
  "nsswitch.conf",
  "python3",
  "ssl",
];
const system = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];

export interface Confinement {
  /** Host directories of the plan's mounts, in their order. */
  readonly directories: readonly string[];
  /** A file with the pod's /etc/hosts, and one with its users. */
  readonly hosts: string;
  readonly users: string;
  readonly hostname: string;
}

/**
 * The arguments of bwrap that give a container's process the files, the user and the variables of its manifest and its
 * image, and nothing of this machine but its programs. The network is the caller's.
 */
export function confine(plan: ContainerPlan, confinement: Confinement): string[] {
  const image = ours(plan.image);
  const defaults = defaultsOf(image);
  const argv = plan.argv.length > 0 ? plan.argv : defaults.command;
  const { uid = 0, gid = 0 } = plan.user ?? {};
  const env = environmentOf(plan, confinement.hostname);
  return [
    ...["--unshare-user", "--uid", String(uid), "--gid", String(gid), "--unshare-pid", "--unshare-ipc"],
    ...["--unshare-uts", "--hostname", confinement.hostname, "--die-with-parent", "--new-session"],
    ...(plan.mayMakeNamespaces ? [] : ["--disable-userns"]),
    ...system.flatMap((path) => ["--ro-bind-try", path, path]),
    ...etc.flatMap((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]),
    ...["--ro-bind", confinement.hosts, "/etc/hosts", "--ro-bind", confinement.users, "/etc/passwd"],
    ...["--proc", "/proc", "--dev", "/dev"],
    ...(image === undefined ? [] : programOf(image)),
    ...plan.mounts.flatMap(({ path, readOnly }, index) => [
      readOnly ? "--ro-bind" : "--bind",
      confinement.directories[index] ?? "",
      path,
    ]),
    ...(plan.readOnlyRoot ? ["--remount-ro", "/"] : []),
    ...["--chdir", defaults.workingDir, "--clearenv"],
    ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
    "--",
    ...argv,
  ];
}

/** The variables of a container's processes. */
export function environmentOf(plan: ContainerPlan, hostname: string): Record<string, string> {
  return { ...defaultsOf(ours(plan.image)).env, HOSTNAME: hostname, HOME: "/", ...plan.env };
}

const defaultsOf = (image: ImageName | undefined): ImageDefaults =>
  image === undefined ? foreign : imageDefaults(image);

/** Our programs where their image has them. */
function programOf(image: ImageName): string[] {
  const { workingDir } = imageDefaults(image);
  const parts = ["package.json", "libs", "services", "node_modules"];
  return [
    ...["--dir", workingDir],
    ...parts.flatMap((part) => ["--ro-bind", `${repository}${part}`, `${workingDir}/${part}`]),
    ...["--ro-bind", `${repository}k8s/target`, `${workingDir}/k8s/target`],
    ...["--tmpfs", "/usr/local/bin", "--ro-bind", node, "/usr/local/bin/node"],
  ];
}
