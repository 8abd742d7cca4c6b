import { mysqladminWrites, mysqlWrites, redisWrites } from "./store-queries.ts";

/** Whether a program that usually reads has arguments to write, change or send something. */
export function writes(program: string, args: readonly string[], inContainer: boolean): boolean {
  const check = Object.hasOwn(checks, program) ? checks[program] : undefined;
  if (check?.(args)) return true;
  // Outside of a container nothing can be changed but the sandbox, which ends with the probe.
  const inside =
    inContainer && Object.hasOwn(checksInContainers, program) ? checksInContainers[program] : undefined;
  return inside?.(args) ?? false;
}

type Check = (args: readonly string[]) => boolean;

const some =
  (pattern: RegExp): Check =>
  (args) =>
    args.some((arg) => pattern.test(arg));

const nowhere = /^(-|\/dev\/null|\/dev\/stdout)$/;

/** Where a program puts its output: the value of an option, joined or apart. */
function outputOf(args: readonly string[], short: string, long: string): string | undefined {
  for (const [at, arg] of args.entries()) {
    if (arg === long) return args[at + 1];
    if (arg.startsWith(`${long}=`)) return arg.slice(long.length + 1);
    const joined = new RegExp(`^-[a-zA-Z]*${short}(.*)$`).exec(arg);
    if (joined && !arg.startsWith("--")) return joined[1] || args[at + 1];
  }
  return undefined;
}

/** Commands of sed that write a file (w, W) or start a program (e), also as flags of a substitution. */
const sedStarts = /(^|[;{}\n\d$,!/])\s*[wWe](\s|$)|(^|[;{}\n])\s*s(.).*\4.*\4[gpiIm\d]*[we]/;

const checks: Readonly<Record<string, Check>> = {
  sed: (args) =>
    some(/^(-[a-zA-Z]*i|--in-place|-[a-zA-Z]*f|--file)/)(args) || args.some((arg) => sedStarts.test(arg)),
  date: some(/^(-[a-zA-Z]*s|--set)/),
  hostname: (args) => args.some((arg) => !arg.startsWith("-")),
  // What it starts may be kubectl: then it is no matter of the sandbox alone.
  awk: some(
    /\bsystem\s*\(|\|\s*"|"\s*\||\|&|\|\s*getline\b|\bprintf?\b[^;}]*[^|]\|[^|]|^(-[a-zA-Z]*f|--file)/,
  ),
  dd: some(/^of=(?!\/dev\/null$)/),
  ip: some(/^(add|del|delete|set|replace|change|flush)$/),
  tc: some(/^(add|del|delete|replace|change)$/),
  ifconfig: (args) => args.filter((arg) => !arg.startsWith("-")).length > 1,
  mount: (args) => args.some((arg) => !arg.startsWith("-")),
  curl: (args) =>
    some(/^(-d|-F|-T|--data|--form|--json|--upload-file)/)(args) ||
    some(/^(telnet|gopher|dict|smtp|ftp|mqtt):/i)(args) ||
    args.some((arg, at) => {
      const method = /^(?:-X|--request=?)(.*)$/.exec(arg);
      return method !== null && !/^(GET|HEAD|OPTIONS)$/i.test(method[1] || (args[at + 1] ?? ""));
    }),
  wget: some(/^--(post|body|method)/),
  // Without -z it sends what it reads, e.g. commands to a database.
  nc: (args) => !some(/^-[a-zA-Z]*z/)(args),
};

const checksInContainers: Readonly<Record<string, Check>> = {
  mysql: mysqlWrites,
  mysqladmin: mysqladminWrites,
  "redis-cli": redisWrites,
  curl: (args) =>
    !nowhere.test(outputOf(args, "o", "--output") ?? "-") || some(/^(-[a-zA-Z]*O|--remote-name)/)(args),
  wget: (args) =>
    !some(/^--spider$/)(args) && !nowhere.test(outputOf(args, "O", "--output-document") ?? "file"),
  sort: (args) => !nowhere.test(outputOf(args, "o", "--output") ?? "-"),
  awk: some(/>\s*"(?!\/dev\/(?:stderr|null))/),
};

/** Whether a program that usually reads has arguments that make it write. */
export function canWrite(program: string, inContainer: boolean): boolean {
  return Object.hasOwn(checks, program) || (inContainer && Object.hasOwn(checksInContainers, program));
}
