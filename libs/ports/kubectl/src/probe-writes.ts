import { exceedsReading, hasReadingOptions, sedDoes } from "./reading-options.ts";
import {
  kafkaGroupsWrite,
  mongoWrites,
  mysqladminWrites,
  mysqlWrites,
  psqlWrites,
  redisWrites,
} from "./store-queries.ts";

/** Whether a program that usually reads has arguments to write, change or send something. */
export function writes(program: string, args: readonly string[], inContainer: boolean): boolean {
  const check = Object.hasOwn(checks, program) ? checks[program] : undefined;
  if (check?.(args)) return true;
  if (!inContainer) return false;
  const inside = Object.hasOwn(checksInContainers, program) ? checksInContainers[program] : undefined;
  return (inside?.(args) ?? false) || exceedsReading(program, args);
}

type Check = (args: readonly string[]) => boolean;

const some =
  (pattern: RegExp): Check =>
  (args) =>
    args.some((arg) => pattern.test(arg));

/** Options of sed that write a file or read a program from one. */
const sedFile = /^(-[a-zA-Z]*i|--in-place|-[a-zA-Z]*f|--file)/;
/** Commands of sed that write a file (w, W) or start a program (e), also as flags of a substitution. */
const sedStarts = /(^|[;{}\n\d$,!/])\s*[wWe](\s|$)|(^|[;{}\n])\s*s(.).*\4.*\4[gpiIm\d]*[we]/;

/** Outside of a container nothing can be changed but the sandbox: what is checked here may start kubectl. */
const checks: Readonly<Record<string, Check>> = {
  // What is known to print alone may have such letters in a pattern.
  sed: (args) => sedDoes(args) && args.some((arg) => sedFile.test(arg) || sedStarts.test(arg)),
  awk: some(
    /\bsystem\s*\(|\|\s*"|"\s*\||\|&|\|\s*getline\b|\bprintf?\b[^;}]*[^|]\|[^|]|^(-[a-zA-Z]*f|--file)/,
  ),
};

const checksInContainers: Readonly<Record<string, Check>> = {
  "kafka-consumer-groups.sh": kafkaGroupsWrite,
  mongo: mongoWrites,
  mongosh: mongoWrites,
  mysql: mysqlWrites,
  mysqladmin: mysqladminWrites,
  psql: psqlWrites,
  "redis-cli": redisWrites,
  "valkey-cli": redisWrites,
  // Else it writes a file.
  wget: (args) => !args.some((arg) => /^(--spider$|--output-document|-[qS]*O)/.test(arg)),
  // Without -z it sends what it reads, e.g. commands to a database.
  nc: (args) => !some(/^-[a-zA-Z]*z/)(args),
};

/** Whether a program that usually reads has arguments that make it write. */
export function canWrite(program: string, inContainer: boolean): boolean {
  if (Object.hasOwn(checks, program)) return true;
  return inContainer && (Object.hasOwn(checksInContainers, program) || hasReadingOptions(program));
}
