import type { Behaviour } from "./format.ts";

/** What public images of these names hold beside the usual programs of their system. */
const additions: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    "alpine bash busybox httpd memcached mongo nginx rabbitmq".split(" ").map((name) => [name, []]),
  ),
  debian: ["perl"],
  ubuntu: ["perl"],
  golang: ["go", "perl"],
  mariadb: ["mysql", "mysqladmin"],
  mysql: ["mysql", "mysqladmin"],
  node: ["node", "nodejs", "npm", "npx", "yarn"],
  openjdk: ["java", "javac"],
  perl: ["perl"],
  php: ["php"],
  postgres: ["pg_isready", "psql"],
  python: ["python", "python3", "pip", "pip3"],
  redis: ["redis-cli"],
  ruby: ["ruby", "gem"],
};

/** Images of clients, which are on Alpine. */
const clients: readonly (readonly [RegExp, readonly string[]])[] = [
  [/(^|\/)curlimages\/curl[:@]?/, ["curl"]],
  [
    /(^|\/)apache\/kafka[:@]?/,
    [
      "bash",
      "kafka-console-consumer.sh",
      "kafka-console-producer.sh",
      "kafka-consumer-groups.sh",
      "kafka-get-offsets.sh",
      "kafka-topics.sh",
    ],
  ],
  [/(^|\/)nicolaka\/netshoot[:@]?/, ["bash", "curl", "dig", "host", "iperf", "jq", "nmap", "ss", "tcpdump"]],
];

/** The name of an official public image, at a mirror too; undefined: it is another one. */
export function officialName(image: string): string | undefined {
  const [, name] =
    /^(?:[\w.-]*(?:docker\.io|daocloud\.io|mirror\.gcr\.io)\/)*(?:library\/)?([\w-]+)(?:[:@]|$)/.exec(
      image,
    ) ?? [];
  return name !== undefined && Object.hasOwn(additions, name) ? name : undefined;
}

/** What is in an image beside its own program. */
export interface ImageTools extends Pick<Behaviour, "tools" | "shell"> {
  /** Whether the image's name says so; else it is taken to be like Debian. */
  readonly isKnown: boolean;
}

const bare = /(^|\/)pause([:@]|$)|distroless|scratch/;
const small = /busybox|alpine|curlimages\/curl|nicolaka\/netshoot|apache\/kafka/;
const debian = ["coreutils", "bash", "grep", "sed", "gzip", "tar"];

/** What an image most likely holds, by its name. */
export function imageTools(image: string): ImageTools {
  if (bare.test(image)) return { tools: [], shell: "none", isKnown: true };
  const name = officialName(image);
  const own = additions[name ?? ""] ?? clients.find(([pattern]) => pattern.test(image))?.[1] ?? [];
  if (small.test(image)) return { tools: ["busybox", ...own], shell: "sh", isKnown: true };
  const isKnown = name !== undefined || /debian|ubuntu|slim/.test(image);
  return { tools: [...debian, ...own], shell: "bash", isKnown };
}
