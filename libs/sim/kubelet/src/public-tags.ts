/** Tags of a public repository: its releases, the words that name some of them, and their variants. */
interface PublicTags {
  /** Tags without a version. */
  readonly words: readonly string[];
  /** `MAJOR.MINOR` -> the last patch level; null: the minor version has none. */
  readonly releases: Readonly<Record<string, number | null>>;
  /** What may follow a version or word after a dash, or be a tag itself; undefined: nothing. */
  readonly variants?: RegExp;
  /** What stands before a version, as in `v0.13`. */
  readonly prefix?: string;
}

const debian = "trixie|bookworm|bullseye|buster|stretch";
const alpine = String.raw`alpine(3\.\d{1,2})?`;
const variants = (...names: string[]): RegExp => new RegExp(`^(${names.join("|")})$`);
const minors = (major: number, last: Readonly<Record<number, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(last).map(([minor, patch]) => [`${major}.${minor}`, patch]));
/** Minor versions `from` to `to` with patch levels up to `patch`. */
const range = (major: number, from: number, to: number, patch: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: to - from + 1 }, (_, at) => [`${major}.${from + at}`, patch]));

const pause: PublicTags = {
  words: ["latest"],
  releases: Object.fromEntries(
    Array.from({ length: 11 }, (_, minor) => [`3.${minor}`, minor === 10 ? 1 : null]),
  ),
};

/** Whole versions alone, as Kubernetes and what belongs to it have them: `MINOR` -> the last patch level. */
const whole = (major: number, last: Readonly<Record<number, number>>): PublicTags => ({
  words: Object.entries(last).flatMap(([minor, patch]) =>
    Array.from({ length: patch + 1 }, (_, at) => `v${major}.${minor}.${at}`),
  ),
  releases: {},
});
const kubernetes = whole(1, { 28: 15, 29: 15, 30: 14, 31: 14, 32: 11, 33: 7, 34: 3 });
const chaosMesh = whole(2, { 6: 7, 7: 3, 8: 0 });
/** The demo program of "Kubernetes: Up and Running". */
const kuard: PublicTags = {
  words: ["1", "2", "3", ...["blue", "green", "purple"].flatMap((colour) => [colour, `v0.10.0-${colour}`])],
  releases: {},
};
/** The web server of Kubernetes' own examples. */
const nginxSlim: PublicTags = {
  words: Array.from({ length: 27 }, (_, at) => `0.${at + 1}`),
  releases: {},
};

/** Public images that people reach for, with the tags that their registries have (end of 2025). */
const tags: Readonly<Record<string, PublicTags>> = {
  "docker.io/library/busybox": {
    words: ["latest", "stable", "unstable"],
    releases: minors(1, {
      37: 0,
      36: 1,
      35: 0,
      34: 1,
      33: 1,
      32: 1,
      31: 1,
      30: 1,
      29: 3,
      28: 4,
      27: 2,
      26: 2,
      25: 1,
      24: 2,
    }),
    variants: variants("musl", "glibc", "uclibc"),
  },
  "docker.io/library/alpine": {
    words: ["latest", "edge", "3"],
    releases: minors(3, {
      ...{ 23: 0, 22: 2, 21: 5, 20: 8, 19: 9, 18: 12, 17: 10, 16: 9, 15: 11, 14: 10, 13: 12, 12: 12, 11: 13 },
      ...{ 10: 9, 9: 6, 8: 5, 7: 3, 6: 5, 5: 3, 4: 6, 3: 3, 2: 3, 1: 4 },
    }),
  },
  "docker.io/library/nginx": {
    words: ["latest", "stable", "mainline"],
    releases: minors(1, {
      ...{
        29: 4,
        28: 1,
        27: 5,
        26: 3,
        25: 5,
        24: 0,
        23: 4,
        22: 1,
        21: 6,
        20: 2,
        19: 10,
        18: 0,
        17: 10,
        16: 1,
      },
      ...{ 15: 12, 14: 2, 13: 12, 12: 2, 11: 13, 10: 3, 9: 15, 8: 1, 7: 12 },
    }),
    variants: variants(`(${debian}|${alpine})(-(perl|otel|slim))?`, "perl", "otel"),
  },
  "docker.io/library/redis": {
    words: ["latest"],
    releases: {
      ...minors(8, { 4: 0, 2: 3, 0: 5 }),
      ...minors(7, { 4: 7, 2: 12, 0: 15 }),
      ...minors(6, { 2: 21, 0: 20 }),
      ...minors(5, { 0: 14 }),
      ...minors(4, { 0: 14 }),
      ...minors(3, { 2: 13, 0: 7 }),
    },
    variants: variants(debian, alpine),
  },
  "docker.io/library/python": {
    words: ["latest"],
    releases: {
      ...minors(3, { 14: 2, 13: 11, 12: 12, 11: 14, 10: 19, 9: 25, 8: 20, 7: 17, 6: 15, 5: 10, 4: 10 }),
      ...minors(2, { 7: 18 }),
    },
    variants: variants(`(slim-)?(${debian})`, "slim", alpine),
  },
  "docker.io/library/node": {
    words: ["latest", "lts", "current", "jod", "krypton", "iron", "hydrogen"],
    releases: {
      ...{ ...range(25, 0, 2, 1), ...range(24, 0, 11, 2), ...range(23, 0, 11, 1), ...range(22, 0, 21, 3) },
      ...{ ...range(21, 0, 7, 3), ...range(20, 0, 19, 6), ...range(19, 0, 9, 2), ...range(18, 0, 20, 8) },
      ...{ ...range(17, 0, 9, 1), ...range(16, 0, 20, 3), ...range(14, 0, 21, 3), ...range(12, 0, 22, 12) },
    },
    variants: variants(`(${debian})(-slim)?`, "slim", alpine),
  },
  "docker.io/library/mysql": {
    words: ["latest", "lts", "innovation"],
    releases: {
      ...{
        ...minors(9, { 5: 0, 4: 0, 3: 0, 2: 0, 1: 0, 0: 1 }),
        ...minors(8, { 4: 7, 3: 0, 2: 0, 1: 0, 0: 44 }),
      },
      ...minors(5, { 7: 44, 6: 51, 5: 62 }),
    },
    variants: variants("debian", "oracle", "oraclelinux[789]"),
  },
  "docker.io/library/postgres": {
    words: ["latest"],
    releases: {
      ...{ "18.0": null, "18.1": null },
      ...{ ...dotted(17, 7), ...dotted(16, 11), ...dotted(15, 15), ...dotted(14, 20), ...dotted(13, 23) },
      ...{ ...dotted(12, 22), ...dotted(11, 22), ...dotted(10, 23), ...minors(9, { 6: 24 }) },
    },
    variants: variants(debian, alpine),
  },
  "docker.io/library/mariadb": {
    words: ["latest", "lts"],
    releases: {
      ...minors(12, { 1: 2, 0: 2 }),
      ...minors(11, { 8: 5, 7: 2, 6: 2, 5: 2, 4: 9 }),
      ...minors(10, { 11: 15, 6: 24, 5: 29, 4: 34, 3: 39 }),
    },
    variants: variants("noble", "jammy", "focal", "ubi", "ubi9"),
  },
  "docker.io/library/mongo": {
    words: ["latest"],
    releases: {
      ...{ ...minors(8, { 2: 2, 0: 16 }), ...minors(7, { 0: 26 }), ...minors(6, { 0: 26 }) },
      ...{ ...minors(5, { 0: 31 }), ...minors(4, { 4: 29, 2: 24, 0: 28 }), ...minors(3, { 6: 23, 4: 24 }) },
    },
    variants: variants("noble", "jammy", "focal", "bionic", "xenial"),
  },
  "docker.io/library/memcached": {
    words: ["latest"],
    releases: minors(1, { 6: 39, 5: 22 }),
    variants: variants(debian, alpine),
  },
  "docker.io/library/rabbitmq": {
    words: ["latest", "management"],
    releases: {
      ...minors(4, { 2: 1, 1: 6, 0: 9 }),
      ...minors(3, { 13: 7, 12: 14, 11: 28, 10: 25, 9: 29, 8: 34, 7: 28, 6: 16 }),
    },
    variants: variants("management(-alpine)?", alpine),
  },
  "docker.io/library/nats": {
    words: ["latest"],
    releases: minors(2, { 12: 1, 11: 10, 10: 29, 9: 25, 8: 4 }),
    variants: variants("scratch", "linux", alpine),
  },
  "docker.io/library/httpd": {
    words: ["latest"],
    releases: minors(2, { 4: 65 }),
    variants: variants(debian, alpine),
  },
  "docker.io/library/debian": {
    words: [...debian.split("|"), "latest", "stable", "testing", "unstable", "sid", "oldstable"],
    releases: {
      "13.2": null,
      "13.1": null,
      "13.0": null,
      ...dotted(12, 12),
      ...dotted(11, 11),
      ...dotted(10, 13),
      ...dotted(9, 13),
    },
    variants: variants("slim", "backports"),
  },
  "docker.io/library/ubuntu": {
    words: [
      "latest",
      "rolling",
      "devel",
      "questing",
      "plucky",
      "noble",
      "jammy",
      "focal",
      "bionic",
      "xenial",
      "trusty",
    ],
    releases: Object.fromEntries(
      ["25.10", "25.04", "24.10", "24.04", "23.10", "23.04", "22.04", "20.04", "18.04", "16.04", "14.04"].map(
        (one) => [one, null],
      ),
    ),
  },
  "docker.io/curlimages/curl": {
    words: ["latest"],
    releases: {
      ...minors(8, {
        17: 0,
        16: 0,
        15: 0,
        14: 1,
        13: 0,
        12: 1,
        11: 1,
        10: 1,
        9: 1,
        8: 0,
        7: 1,
        6: 0,
        5: 0,
        4: 0,
        3: 0,
        2: 1,
        1: 2,
        0: 1,
      }),
      ...minors(7, {
        88: 1,
        87: 0,
        86: 0,
        85: 0,
        84: 0,
        83: 1,
        82: 0,
        81: 0,
        80: 0,
        79: 1,
        78: 0,
        77: 0,
        76: 1,
        75: 0,
        74: 0,
        73: 0,
        72: 0,
      }),
    },
  },
  "docker.io/bitnami/kubectl": { words: ["latest"], releases: range(1, 18, 33, 4) },
  "docker.io/nicolaka/netshoot": { words: ["latest"], releases: dotted(0, 14), prefix: "v" },
  "docker.io/apache/kafka": {
    words: ["latest"],
    releases: minors(3, { 7: 2, 8: 1, 9: 1 }),
  },
  "docker.io/jrottenberg/ffmpeg": {
    words: ["latest"],
    releases: { "4.1": null, "4.4": null },
    variants: variants("alpine", "ubuntu"),
  },
  "docker.io/polinux/stress": { words: ["latest"], releases: { "1.0": 4 } },
  "docker.io/library/openjdk": {
    words: ["latest", "8", "11", "17", "21"],
    releases: {},
    variants: variants(
      "jdk",
      `(jdk-)?slim(-(${debian}))?`,
      `(jdk-)?(${debian}|${alpine}|oracle|oraclelinux[78])`,
    ),
  },
  "docker.io/prom/node-exporter": { words: ["latest", "master"], releases: range(1, 0, 10, 2), prefix: "v" },
  "quay.io/fluentd_elasticsearch/fluentd": {
    words: [
      "v2.5.0",
      "v2.5.1",
      "v2.5.2",
      ...["v2.6.0", "v2.7.0", "v2.8.0", "v3.0.1", "v3.4.0", "v4.6.2", "v4.7.2", "v5.0.1"],
    ],
    releases: {},
  },
  ...Object.fromEntries(
    ["apiserver", "controller-manager", "proxy", "scheduler"].map((one) => [
      `registry.k8s.io/kube-${one}`,
      kubernetes,
    ]),
  ),
  "quay.io/prometheus/node-exporter": whole(1, { 6: 1, 7: 0, 8: 2, 9: 1 }),
  "registry.k8s.io/coredns/coredns": whole(1, { 8: 7, 9: 4, 10: 1, 11: 4, 12: 4, 13: 1 }),
  "registry.k8s.io/etcd": {
    words: ["3.5.10-0", "3.5.12-0", "3.5.15-0", "3.5.16-0", "3.5.21-0", "3.5.24-0", "3.6.4-0", "3.6.5-0"],
    releases: {},
  },
  "registry.k8s.io/metrics-server/metrics-server": whole(0, { 6: 4, 7: 2, 8: 0 }),
  "docker.io/rancher/local-path-provisioner": whole(0, { 0: 32 }),
  "ghcr.io/chaos-mesh/chaos-mesh": chaosMesh,
  "ghcr.io/chaos-mesh/chaos-daemon": chaosMesh,
  "ghcr.io/kubewarden/policy-server": whole(1, { 13: 0, 14: 0, 15: 0, 16: 0, 17: 0, 18: 0, 19: 0 }),
  "gcr.io/kuar-demo/kuard-amd64": kuard,
  "k8s.gcr.io/nginx-slim": nginxSlim,
  "registry.k8s.io/nginx-slim": nginxSlim,
  "registry.k8s.io/pause": pause,
  "k8s.gcr.io/pause": pause,
  "gcr.io/google-containers/pause": pause,
  "registry.k8s.io/e2e-test-images/jessie-dnsutils": { words: [], releases: dotted(1, 7) },
};

function dotted(major: number, last: number): Record<string, null> {
  return Object.fromEntries(Array.from({ length: last + 1 }, (_, minor) => [`${major}.${minor}`, null]));
}

/** Whether anybody can pull a tag of a public repository. */
export function isPublicTag(repository: string, tag: string): boolean {
  const known = tags[repository];
  if (!known) return false;
  const { words, variants: allowed } = known;
  if (isRelease(known, tag) || words.includes(tag) || allowed?.test(tag)) return true;
  const dash = tag.indexOf("-");
  if (dash < 0 || !allowed?.test(tag.slice(dash + 1))) return false;
  const base = tag.slice(0, dash);
  return isRelease(known, base) || words.includes(base);
}

/** A major version, a minor one, or a whole one; numbers as they are written. */
function isRelease({ releases, prefix = "" }: PublicTags, tag: string): boolean {
  const [, major, minor, patch] =
    /^(\d+)(?:\.(\d+)(?:\.(0|[1-9]\d*))?)?$/.exec(withoutPrefix(tag, prefix)) ?? [];
  if (major === undefined) return false;
  if (minor === undefined) return Object.keys(releases).some((one) => one.startsWith(`${major}.`));
  const last = releases[`${major}.${minor}`];
  if (last === undefined) return false;
  return patch === undefined || (last !== null && Number(patch) <= last);
}

const withoutPrefix = (tag: string, prefix: string): string =>
  tag.startsWith(prefix) ? tag.slice(prefix.length) : "";
