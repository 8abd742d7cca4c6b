import type { Rule } from "../rule.ts";
import { commandsOf } from "../shell-text.ts";
import { isFields } from "../step.ts";

const writers: Readonly<Record<string, readonly string[]>> = {
  "ansible.builtin.assemble": ["dest"],
  "ansible.builtin.blockinfile": ["path", "dest"],
  "ansible.builtin.copy": ["dest"],
  "ansible.builtin.fetch": ["dest"],
  "ansible.builtin.file": ["path", "dest", "name", "src"],
  "ansible.builtin.get_url": ["dest"],
  "ansible.builtin.lineinfile": ["path", "dest"],
  "ansible.builtin.replace": ["path", "dest"],
  "ansible.builtin.template": ["dest", "src"],
  "ansible.builtin.tempfile": ["path"],
  "ansible.builtin.unarchive": ["dest"],
  "ansible.builtin.uri": ["dest"],
  "kubernetes.core.k8s_cp": ["local_path"],
};
const devices = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/;
const ownDirectories = /^(?:~|\$HOME|\$\{HOME\}|\$TMPDIR|\/root|\/tmp|\/var\/tmp|\/dev\/shm)(?:\/|$)/;

/** Files are written in the run's own directories; a path that a template makes is not checked. */
export const files: Rule = async (step, { policy }) => {
  if (policy.files === "any") return undefined;
  const written = [
    ...argumentsOf(step.module, step.args),
    ...(await commandsOf(step)).flatMap(({ writesTo }) => writesTo),
  ];
  const outside = written.find((path) => !isInRun(path));
  return outside === undefined
    ? undefined
    : `${outside.slice(0, 200)} is outside of the run's directories, ~ and /tmp`;
};

function argumentsOf(module: string | undefined, args: unknown): string[] {
  const names = writers[module ?? ""] ?? [];
  const text = typeof args === "string" ? args : "";
  const free = [...text.matchAll(/(\w+)=("[^"]*"|'[^']*'|\S+)/g)].map(
    ([, name, value]) => [name, value] as const,
  );
  const pairs = isFields(args) ? Object.entries(args) : free;
  return pairs.flatMap(([name = "", value]) =>
    names.includes(name) && typeof value === "string" ? [value.replace(/^(['"])(.*)\1$/, "$2")] : [],
  );
}

function isInRun(path: string): boolean {
  if (path.startsWith("&") || path.includes("{{") || devices.test(path)) return true;
  if (path.split("/").includes("..")) return false;
  return ownDirectories.test(path) || /^(?:[^/~]|$)/.test(path);
}
