import { access } from "node:fs/promises";
import { execa } from "execa";

/** Why a real cluster cannot be started on this machine; undefined: it can. */
export async function whyImpossible(): Promise<string | undefined> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "it takes Linux and root";
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
  ];
  const path = `${process.env["PATH"]}:/usr/sbin:/sbin`;
  const missing: string[] = [];
  for (const program of programs) {
    const found = await execa("sh", ["-c", `command -v ${program}`], { reject: false, env: { PATH: path } });
    if (found.exitCode !== 0) missing.push(program);
  }
  const hasPlugins = await access("/usr/lib/cni/bridge").then(
    () => true,
    () => false,
  );
  if (!hasPlugins) missing.push("/usr/lib/cni/bridge");
  if (missing.length === 0) return undefined;
  const packages = "containerd runc containernetworking-plugins iptables iproute2 kubectl";
  return `${missing.join(", ")} missing: install Go 1.24 or newer, and \`apt-get install ${packages}\``;
}
