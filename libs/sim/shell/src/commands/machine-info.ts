import { shortName } from "@microremed/sim-machine";
import type { Command } from "../container/command.types.ts";
import { parseOptions } from "../container/options.ts";
import { memoryOf } from "../container/synthetic-files.ts";

const kib = (bytes: number): number => Math.round(bytes / 1024);

/** `free`: the node's memory, as /proc/meminfo in a container shows it. */
export const free: Command = ({ args, deps, sandbox, out }) => {
  const unit = args.includes("-m") ? 1024 : args.includes("-g") ? 1024 * 1024 : 1;
  const show = (kibibytes: number): string => String(Math.round(kibibytes / unit)).padStart(12);
  const { nodeName } = sandbox;
  const memory = memoryOf(deps.nodeMemory(nodeName), deps.availableMemory(nodeName));
  const [total, available, unused] = [kib(memory.total), kib(memory.available), kib(memory.free)];
  out("              total        used        free      shared  buff/cache   available\n");
  out(
    `Mem:   ${show(total)}${show(total - available)}${show(unused)}${show(0)}${show(available - unused)}${show(available)}\n`,
  );
  out(`Swap:  ${show(0)}${show(0)}${show(0)}\n`);
  return 0;
};

export const hostname: Command = ({ args, sandbox, out }) => {
  const { ip, hostname: name, domain } = sandbox;
  const short = shortName({ hostname: name, domain });
  const long = domain === undefined ? short : `${short}.${domain}`;
  const forms = new Map([
    ["-i", ip],
    ["-f", long],
    ["-s", short],
    ["-d", domain ?? ""],
  ]);
  out(`${args.map((arg) => forms.get(arg)).find((form) => form !== undefined) ?? name}\n`);
  return 0;
};

/** `date`: cluster time, UTC; formats of strftime's common letters. */
export const date: Command = ({ args, deps, out }) => {
  const now = new Date(deps.loop.now());
  const format = args.find((arg) => arg.startsWith("+"))?.slice(1) ?? "%a %b %e %H:%M:%S UTC %Y";
  const iso = now.toISOString();
  const letters: Readonly<Record<string, string>> = {
    Y: iso.slice(0, 4),
    m: iso.slice(5, 7),
    d: iso.slice(8, 10),
    e: String(now.getUTCDate()).padStart(2),
    H: iso.slice(11, 13),
    M: iso.slice(14, 16),
    S: iso.slice(17, 19),
    N: `${iso.slice(20, 23)}000000`,
    s: String(Math.floor(now.getTime() / 1000)),
    F: iso.slice(0, 10),
    T: iso.slice(11, 19),
    Z: "UTC",
    z: "+0000",
    a: now.toUTCString().slice(0, 3),
    b: now.toUTCString().slice(8, 11),
    "%": "%",
  };
  out(
    `${format.replace(/%(3N|.)/g, (token, letter: string) => (letter === "3N" ? iso.slice(20, 23) : (letters[letter] ?? token)))}\n`,
  );
  return 0;
};

export const uptime: Command = ({ deps, container, out }) => {
  const load = container.usage.cpu.toFixed(2);
  const time = new Date(deps.loop.now()).toISOString().slice(11, 19);
  out(` ${time} up 1 day,  0:00,  0 users,  load average: ${load}, 0.20, 0.15\n`);
  return 0;
};

export const id: Command = ({ args, out }) => {
  out(args.some((arg) => /^-\w*u/.test(arg)) ? "0\n" : "uid=0(root) gid=0(root) groups=0(root)\n");
  return 0;
};

export const whoami: Command = ({ out }) => {
  out("root\n");
  return 0;
};

export const uname: Command = ({ args, sandbox, out }) => {
  const all = args.includes("-a");
  out(
    all
      ? `Linux ${sandbox.hostname} 6.1.0 #1 SMP x86_64 GNU/Linux\n`
      : args.includes("-r")
        ? "6.1.0\n"
        : args.includes("-n")
          ? `${sandbox.hostname}\n`
          : "Linux\n",
  );
  return 0;
};

/** `env`, `printenv [NAME]`. A program after `env` is not run. */
export const printenv: Command = ({ args, variable, variables, out }) => {
  const name = args.find((arg) => !arg.startsWith("-"));
  if (name === undefined) {
    for (const [key, value] of Object.entries(variables())) out(`${key}=${value}\n`);
    return 0;
  }
  const value = variable(name);
  if (value === undefined) return 1;
  out(`${value}\n`);
  return 0;
};

/** `sleep 1.5`, `sleep 2m`, in cluster time. */
export const sleep: Command = async ({ args, deps, signal, err }) => {
  const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
  let seconds = 0;
  for (const arg of args) {
    if (/^inf(inity)?$/.test(arg))
      return new Promise((_, reject) => {
        const end = (): void => reject(signal.reason);
        if (signal.aborted) end();
        signal.addEventListener("abort", end, { once: true });
      });
    const match = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(arg);
    if (!match) {
      err(`sleep: invalid number '${arg}'\n`);
      return 1;
    }
    seconds += Number(match[1]) * (units[match[2] || "s"] ?? 1);
  }
  await deps.loop.sleep(seconds * 1000, signal);
  return 0;
};

/** `tty`: the terminal of stdin. */
export const ttyName: Command = ({ tty, args, out }) => {
  if (!args.some((arg) => arg === "-s" || arg === "--silent" || arg === "--quiet"))
    out(tty ? "/dev/pts/0\n" : "not a tty\n");
  return tty ? 0 : 1;
};

/** `tc qdisc show|del dev eth0 root`: needs NET_ADMIN. */
export const tc: Command = ({ args, sandbox, container, out, err }) => {
  const { rest } = parseOptions(args, [], []);
  const [object, verb] = rest;
  if (object !== "qdisc") {
    err(`Object "${object ?? ""}" is unknown, try "tc help".\n`);
    return 1;
  }
  if (verb === undefined || verb === "show" || verb === "ls" || verb === "list") {
    out("qdisc noqueue 0: dev lo root refcnt 2\n");
    for (const netem of sandbox.netem) {
      const parts = [
        netem.delayMs > 0 && `delay ${netem.delayMs}ms`,
        netem.loss > 0 && `loss ${netem.loss * 100}%`,
        netem.corrupt > 0 && `corrupt ${netem.corrupt * 100}%`,
        netem.duplicate > 0 && `duplicate ${netem.duplicate * 100}%`,
        netem.rate !== undefined && `rate ${Math.round((netem.rate * 8) / 1000)}Kbit`,
      ].filter((part) => part !== false);
      out(`qdisc netem 1: dev eth0 root refcnt 2 limit 1000 ${parts.join(" ")}\n`);
    }
    if (sandbox.netem.length === 0) out("qdisc noqueue 0: dev eth0 root refcnt 2\n");
    return 0;
  }
  if (!container.capabilities?.includes("NET_ADMIN")) {
    err("RTNETLINK answers: Operation not permitted\n");
    return 2;
  }
  if (verb === "del" || verb === "delete") {
    if (sandbox.netem.length === 0) {
      err("Error: Cannot delete qdisc with handle of zero.\n");
      return 2;
    }
    sandbox.netem.splice(0);
    return 0;
  }
  err(`Command "${verb}" is unknown, try "tc qdisc help".\n`);
  return 1;
};
