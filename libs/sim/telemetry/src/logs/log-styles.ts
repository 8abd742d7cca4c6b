import type { Behaviour } from "@microremed/environments";
import type { ContainerRuntime, PodSandbox } from "@microremed/sim-machine";

export type Level = "info" | "warn" | "error";

/** What a program says, in the manner of its runtime's usual logger. */
export interface LogStyle {
  /** Said when the process starts, and when it begins to listen. */
  starting(container: ContainerRuntime): readonly string[];
  ready(container: ContainerRuntime, seconds: number): readonly string[];
  /** Whether it says how its requests go; default: it does. */
  readonly requests?: boolean;
  line(level: Level, message: string, at: Date, sandbox: PodSandbox): string;
}

/** What a program says of the ports that it listens on; one that listens on none says nothing. */
function listening({ behaviour }: ContainerRuntime, say: (ports: string) => string): string[] {
  const { listens = [] } = behaviour ?? {};
  return listens.length === 0 ? [] : [say(listens.join(", "))];
}

const json: LogStyle = {
  starting: () => ["starting"],
  ready: (container) => listening(container, (ports) => `listening on port ${ports}`),
  line: (severity, message, at) => JSON.stringify({ severity, message, timestamp: at.toISOString() }),
};

const spring: LogStyle = {
  starting: () => [
    "Starting Application using Java 17 with PID 1",
    "No active profile set, falling back to 1 default profile",
  ],
  ready: (container, seconds) => [
    ...listening(container, (ports) => `Tomcat started on port(s): ${ports} (http) with context path ''`),
    `Started Application in ${seconds.toFixed(3)} seconds (process running for ${(seconds + 0.6).toFixed(3)})`,
  ],
  line: (level, message, at) =>
    `${at.toISOString().replace("T", " ").slice(0, 23)} ${level.toUpperCase().padStart(5)} 1 --- [nio-8080-exec-1] o.s.boot.Application                     : ${message}`,
};

const pino: LogStyle = {
  starting: () => ["Starting up"],
  ready: (container) => listening(container, (ports) => `Server started on port ${ports}`),
  line: (level, msg, at, sandbox) =>
    JSON.stringify({
      level: { info: 30, warn: 40, error: 50 }[level],
      time: at.getTime(),
      pid: 1,
      hostname: sandbox.hostname,
      msg,
    }),
};

const python: LogStyle = {
  starting: () => ["Initializing server"],
  ready: (container) => listening(container, (ports) => `Listening on port ${ports}`),
  line: (level, message, at) =>
    `${at.toISOString().replace("T", " ").slice(0, 19)},${at.toISOString().slice(20, 23)} ${level.toUpperCase()} server: ${message}`,
};

const redis: LogStyle = {
  starting: () => ["oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo", "Running mode=standalone, port=6379."],
  ready: () => ["Ready to accept connections"],
  line: (level, message, at) =>
    `1:M ${at.toUTCString().slice(5, 16)} ${at.toISOString().slice(11, 23)} ${level === "info" ? "*" : "#"} ${message}`,
};

const mysql: LogStyle = {
  starting: () => ["[MY-010116] [Server] /usr/sbin/mysqld starting as process 1"],
  ready: () => [
    "[MY-010931] [Server] /usr/sbin/mysqld: ready for connections. Version: '5.7.39'  port: 3306",
  ],
  line: (level, message, at) =>
    `${at.toISOString().slice(0, -1)}000Z 0 [${{ info: "System", warn: "Warning", error: "ERROR" }[level]}] ${message}`,
};

/** Component, id, context and attributes of the server's own messages, as version 4.4 has them. */
const waitingByTls = "Waiting for connections, by TLS";
const mongodbEvents: Readonly<Record<string, readonly [string, number, string, object?]>> = {
  "MongoDB starting": [
    "CONTROL",
    4615611,
    "initandlisten",
    { pid: 1, port: 27017, dbPath: "/data/db", architecture: "64-bit" },
  ],
  "Opening WiredTiger": ["STORAGE", 22315, "initandlisten"],
  "Listening on": ["NETWORK", 23015, "listener", { address: "0.0.0.0" }],
  "Authentication failed": [
    "ACCESS",
    20249,
    "conn12",
    { mechanism: "SCRAM-SHA-1", authenticationDatabase: "admin", error: "AuthenticationFailed" },
  ],
  "Waiting for connections": ["NETWORK", 23016, "listener", { port: 27017, ssl: "off" }],
  [waitingByTls]: ["NETWORK", 23016, "listener", { port: 27017, ssl: "on" }],
  "Error receiving request from client. Ending connection from remote": [
    "NETWORK",
    22988,
    "conn12",
    {
      error: {
        code: 141,
        codeName: "SSLHandshakeFailed",
        errmsg: "The server is configured to only allow SSL connections",
      },
    },
  ],
};

const mongodb: LogStyle = {
  starting: () => ["MongoDB starting", "Opening WiredTiger"],
  ready: ({ datastore }) => [
    "Listening on",
    datastore?.type === "mongodb" && datastore.tls !== "disabled" ? waitingByTls : "Waiting for connections",
  ],
  requests: false,
  line(level, said, at, { hostname }) {
    const [c, id, ctx, attr] = mongodbEvents[said] ?? ["ACCESS", 20249, "conn12"];
    const msg = said === waitingByTls ? "Waiting for connections" : said;
    return JSON.stringify({
      t: { $date: at.toISOString().replace("Z", "+00:00") },
      s: { info: "I", warn: "W", error: "E" }[level],
      ...{ c, id, ctx, msg },
      ...(attr && { attr: c === "CONTROL" ? { ...attr, host: hostname } : attr }),
    });
  },
};

const postgresql: LogStyle = {
  starting: () => ["starting PostgreSQL", "listening on IPv4 address"],
  ready: () => ["database system is ready to accept connections"],
  line: (level, message, at) =>
    `${at.toISOString().replace("T", " ").slice(0, 23)} UTC [1] ${{ info: "LOG", warn: "WARNING", error: "ERROR" }[level]}:  ${message}`,
  requests: false,
};

const kafka: LogStyle = {
  starting: () => ["starting"],
  ready: () => ["Kafka Server started"],
  line: (level, message, at) =>
    `[${at.toISOString().replace("T", " ").slice(0, 19)},${at.toISOString().slice(20, 23)}] ${level.toUpperCase()} ${message} (kafka.server.KafkaRaftServer)`,
  requests: false,
};

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Boost's trivial logger. */
const cpp: LogStyle = {
  starting: () => ["Starting the server"],
  ready: (container) => listening(container, (ports) => `Listening on port ${ports}`),
  line(level, message, at) {
    const [year, , day] = at.toISOString().split(/[-T]/);
    const date = `${year}-${months[at.getUTCMonth()]}-${day}`;
    const severity = level === "warn" ? "warning" : level;
    return `[${date} ${at.toISOString().slice(11, -1)}000] <${severity}>: (server.cpp) ${message}`;
  },
};

/** Of its error log. */
const nginx: LogStyle = {
  starting: () => ['using the "epoll" event method'],
  ready: () => ["start worker processes"],
  line: (level, message, at) =>
    `${at.toISOString().slice(0, 19).replaceAll("-", "/").replace("T", " ")} [${level === "info" ? "notice" : level}] 1#1: ${message}`,
};

const ruby: LogStyle = {
  starting: () => ["Starting the server"],
  ready: (container) => listening(container, (ports) => `Listening on port ${ports}`),
  line: (level, message, at) =>
    `${level[0]?.toUpperCase()}, [${at.toISOString().slice(0, -1)}000 #1] ${level.toUpperCase().padStart(5)} -- : ${message}`,
};

const envoy: LogStyle = {
  starting: () => ["initializing"],
  ready: () => ["all dependencies initialized. starting workers"],
  line: (level, message, at) =>
    `[${at.toISOString().replace("T", " ").slice(0, 23)}][1][${level === "warn" ? "warning" : level}][main] ${message}`,
};

/** Of zap's console encoder. */
const flagd: LogStyle = {
  starting: () => [
    "cmd/start.go\tflagd version: v0.12.9, service port: 8013",
    "file/filepath_sync.go\tStarting filepath sync notifier",
  ],
  ready: () => [
    "flag-evaluation/connect_service.go\tFlag IResolver listening at [::]:8013",
    "ofrep/ofrep_service.go\tofrep service listening at 8016",
  ],
  requests: false,
  line: (level, message, at) => `${at.toISOString()}\t${level}\t${message}\t{"component": "flagd"}`,
};

const plain: LogStyle = {
  starting: () => ["starting"],
  ready: () => ["started"],
  line: (level, message, at) => `${at.toISOString()} [${level}] ${message}`,
};

const styles: Readonly<Record<Behaviour["runtime"], LogStyle | undefined>> = {
  go: json,
  dotnet: json,
  java: spring,
  node: pino,
  python,
  locust: python,
  cpp,
  ruby,
  rust: plain,
  elixir: plain,
  php: plain,
  envoy,
  flagd,
  redis,
  // It prints nothing unless it is asked to.
  memcached: undefined,
  mysql,
  postgresql,
  mongodb,
  kafka,
  xenon: plain,
  rabbitmq: plain,
  nats: plain,
  nginx,
  idle: undefined,
};

const seconds = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;

/** Lines of loggers that a program may have instead of its runtime's usual one. */
const formats: Readonly<Record<NonNullable<NonNullable<Behaviour["logs"]>["format"]>, LogStyle["line"]>> = {
  json: json.line,
  plain: plain.line,
  zerolog: (level, message, at) =>
    `${seconds(at)} ${{ info: "INF", warn: "WRN", error: "ERR" }[level]} ${message}`,
  zap: (level, msg, at) => JSON.stringify({ level, ts: at.getTime() / 1000, msg }),
  hclog: (level, message, at) => `${at.toISOString()} ${`[${level.toUpperCase()}]`.padEnd(7)} ${message}`,
};

/** How a container's program logs; undefined: it prints nothing. */
export function logStyleOf({ behaviour }: ContainerRuntime): LogStyle | undefined {
  // One that ends prints its lines itself: it may be over before a sweep.
  if (behaviour?.ends) return undefined;
  const usual = behaviour && styles[behaviour.runtime];
  if (!behaviour?.logs) return usual;
  const { format, starting, ready, requests } = behaviour.logs;
  const { line, ...words } = usual ?? plain;
  return {
    ...words,
    ...(starting && { starting: () => starting }),
    ...(ready && { ready: () => ready }),
    line: format ? formats[format] : line,
    requests: requests && words.requests !== false,
  };
}
