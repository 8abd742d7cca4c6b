import { type ClosedOptions, fits } from "./closed-options.ts";

const line = /^[^\r\n]*$/;
const number = /^[\d.]+$/;
const nowhere = /^(-|\/dev\/null|\/dev\/stdout)$/;
/** Without a scheme, curl takes it from names such as `dict.x`, also from one that its braces make. */
const url =
  /^(https?:\/\/[^\r\n]*|(?!(dict|ftps?|imaps?|ldaps?|pop3s?|smtps?)\.)[\w.-]+(:\d+)?([/?#][^\r\n{}[\]]*)?)$/i;
/** A line break could begin another header, or a command to a server that is not one of HTTP. */
const header = /^(?!@|host\s*[:;])[^\r\n]*$/i;
const method = /^(GET|HEAD|OPTIONS)$/i;
/** curl can name a file in what it prints. */
const printed = /^(?!@)(?![\s\S]*%output\{)[\s\S]*$/i;

const closed: Readonly<Record<string, ClosedOptions>> = {
  curl: {
    flags: "sSkviIfgL46N#",
    values: {
      ...{ m: number, o: nowhere, w: printed, H: header, A: line, e: line, u: line, X: method, r: line },
      ...{ "max-time": number, "connect-timeout": number, retry: number, "retry-delay": number },
      ...{ output: nowhere, "write-out": printed, header, "user-agent": line, user: line, request: method },
      ...{ resolve: line, noproxy: line, cacert: line, url },
    },
    long: "silent show-error insecure verbose include head fail fail-with-body globoff location ipv4 ipv6 no-buffer compressed http1.0 http1.1 http2 http2-prior-knowledge no-progress-meter",
    operands: url,
  },
  wget: {
    flags: "qSv46",
    values: {
      ...{ O: nowhere, T: number, t: number, U: line },
      ...{ "output-document": nowhere, timeout: number, tries: number, header, "user-agent": line },
    },
    long: "quiet spider server-response no-check-certificate no-verbose",
    operands: url,
  },
  nc: { flags: "zvn46u", values: { w: number }, operands: line },
  sort: {
    flags: "bdfgiMhnRrVcsuz",
    values: { k: line, t: line, o: nowhere, key: line, "field-separator": line, output: nowhere },
    long: "reverse numeric-sort human-numeric-sort version-sort unique ignore-case stable",
    operands: line,
  },
  uniq: {
    flags: "cdDiuz",
    values: { f: number, s: number, w: number },
    long: "count repeated unique ignore-case",
    operands: line,
    mostOperands: 1,
  },
  date: {
    flags: "uR",
    joined: "I",
    values: { d: line, r: line, date: line, reference: line, "rfc-3339": line, "iso-8601": line },
    long: "utc universal iso-8601 rfc-email",
    operands: /^\+/,
  },
  hostname: { flags: "fisdIAy", long: "fqdn ip-address all-ip-addresses short domain" },
  mount: { flags: "lv" },
  ifconfig: { flags: "asv", operands: /^[^-]/, mostOperands: 1 },
  ss: {
    flags: "tuanlpiemosx46HrwO",
    long: "tcp udp listening all numeric processes summary extended info memory options no-header",
    operands: line,
  },
};

const shows = /^(show|list|ls|lst|get)$/;
const networkOption =
  /^-(4|6|s|d|o|j|p|br|brief|stats|statistics|details|oneline|json|pretty|color|human|h|r|resolve)$/;
const objects: Readonly<Record<string, RegExp>> = {
  ip: /^(a|addr|address|l|link|r|ro|route|n|neigh|neighbour|rule|ru|maddr|tcp_metrics)$/,
  tc: /^(q|qdisc|c|class|f|filter)$/,
};

/** `ip` and `tc` take every abbreviation: only what is written out to show something does. */
function showsNetwork(program: string, args: readonly string[]): boolean {
  const start = args.findIndex((arg) => !networkOption.test(arg));
  const [object = "", verb] = start < 0 ? [] : args.slice(start);
  return (objects[program]?.test(object) ?? false) && (verb === undefined || shows.test(verb));
}

const ddReads = /^((if|bs|ibs|obs|cbs|count|skip|seek|iflag|conv|status)=|of=(\/dev\/null|\/dev\/stdout)$)/;

/** Whether awk may do more than print: every `>` after a print can be a file, and gawk calls functions by name. */
function awkDoes(args: readonly string[]): boolean {
  const options: ClosedOptions = { values: { F: line, v: line }, operands: /[\s\S]*/ };
  const program = args.join("\n");
  return (
    !fits(args, options) ||
    /\b(system|getline|close)\b|@|(^|[^|])\|([^|]|$)|\bprintf?\b[\s\S]*>/.test(program)
  );
}

const address = String.raw`(\d+|\$|/(?:[^/\\\n]|\\.)*/)`;
const flagged = String.raw`s([/|,#:])(?:(?!\3)[^\\\n]|\\.)*\3(?:(?!\3)[^\\\n]|\\.)*\3[gpIi\d]*`;
const sedCommand = new RegExp(String.raw`^${address}?(?:,${address})?!?\s*(?:[pdqnNDPhHgGx=]|${flagged})?$`);

/** Whether sed may do more than print: of its commands those that neither write a file nor start a program are known. */
export function sedDoes(args: readonly string[]): boolean {
  const script = {
    values: { e: /[\s\S]*/, expression: /[\s\S]*/ },
    flags: "nEru",
    long: "quiet silent regexp-extended",
  };
  if (!fits(args, { ...script, operands: /[\s\S]*/ })) return true;
  const expressions = args.flatMap((arg, at) =>
    /^-[nEru]*e$|^--expression$/.test(args[at - 1] ?? "")
      ? [arg]
      : [/^(?:-[nEru]*e|--expression=)([\s\S]+)$/.exec(arg)?.[1] ?? []].flat(),
  );
  const first = args.find((arg) => !arg.startsWith("-"));
  const scripts = expressions.length > 0 ? expressions : [first ?? ""];
  return scripts.some((one) => !one.split(/[;\n]/).every((command) => sedCommand.test(command.trim())));
}

/** How the arguments of programs are checked that no list can hold. */
const byHand: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  ip: (args) => !showsNetwork("ip", args),
  tc: (args) => !showsNetwork("tc", args),
  dd: (args) => !args.every((arg) => ddReads.test(arg)),
  awk: awkDoes,
  sed: sedDoes,
};

/** Whether it is known with which arguments a program in a container only reads. */
export function hasReadingOptions(program: string): boolean {
  return Object.hasOwn(byHand, program) || Object.hasOwn(closed, program);
}

/**
 * Whether a program in a container has arguments beyond those that are known to read. For programs that can write, send or
 * change something: of the others nothing is said.
 */
export function exceedsReading(program: string, args: readonly string[]): boolean {
  const check = Object.hasOwn(byHand, program) ? byHand[program] : undefined;
  const options = Object.hasOwn(closed, program) ? closed[program] : undefined;
  return check?.(args) ?? (options !== undefined && !fits(args, options));
}
