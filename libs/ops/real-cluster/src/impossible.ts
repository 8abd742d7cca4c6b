import { findProgram } from "@microremed/servers";
import { howToGetGo } from "./build-programs.ts";
import { exists } from "./exists.ts";

const programs = [
  "go",
  "apt-get",
  "containerd",
  "runc",
  "ctr",
  "iptables",
  "unshare",
  "nsenter",
  "ip",
  "kubectl",
] as const;
const packages = [
  "containerd",
  "runc",
  "crun",
  "containernetworking-plugins",
  "iptables",
  "iproute2",
  "kubectl",
];
const networkPlugin = "/usr/lib/cni/bridge";

/** Why a real cluster cannot be started on this machine; undefined: it can. `more` programs are Debian packages of the same name. */
export async function whyImpossible(more: readonly string[] = []): Promise<string | undefined> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "it takes Linux and root";
  const missing: string[] = [];
  for (const program of [...programs, ...more])
    await findProgram(program, "").catch(() => missing.push(program));
  if (!(await exists(networkPlugin))) missing.push(networkPlugin);
  if (missing.length === 0) return undefined;
  const go = missing.includes("go") ? ` ${howToGetGo}` : "";
  const install = `apt-get install ${[...packages, ...more].join(" ")}`;
  return `${missing.join(", ")} missing.${go} Debian's packages: \`${install}\`.`;
}
