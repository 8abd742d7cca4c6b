/** The parts of an image's name. */
export interface ImageName {
  /** Registry and path, e.g. `docker.io/library/redis`. */
  readonly repository: string;
  /** Undefined only beside a digest. */
  readonly tag: string | undefined;
  /** `sha256:` and 64 hex digits. */
  readonly digest: string | undefined;
}

const hub = "docker.io";

/** A name's parts as containerd reads them: `redis` and `docker.io/redis` are `docker.io/library/redis:latest`. */
export function parseImageName(image: string): ImageName {
  const [name = "", digest] = image.split("@");
  const tag = /:([^:/]+)$/.exec(name)?.[1];
  const path = tag === undefined ? name : name.slice(0, -tag.length - 1);
  const slash = path.indexOf("/");
  const first = slash < 0 ? "" : path.slice(0, slash);
  const hasRegistry = /[.:]/.test(first) || first === "localhost";
  const registry = !hasRegistry || first === "index.docker.io" ? hub : first;
  const rest = hasRegistry ? path.slice(slash + 1) : path;
  const below = registry === hub && !rest.includes("/") ? `library/${rest}` : rest;
  return {
    repository: `${registry}/${below}`,
    tag: tag ?? (digest === undefined ? "latest" : undefined),
    digest,
  };
}

/** `redis` -> `docker.io/library/redis:latest`. */
export function fullImageName(image: string): string {
  const { repository, tag, digest } = parseImageName(image);
  return `${repository}${tag === undefined ? "" : `:${tag}`}${digest === undefined ? "" : `@${digest}`}`;
}

/** What mirrors stand before their copies of other registries' repositories. */
const mirrors: readonly (readonly [prefix: string, origin: string])[] = [
  ["docker.m.daocloud.io/", "docker.io/"],
  ["gcr.m.daocloud.io/", "gcr.io/"],
  ["ghcr.m.daocloud.io/", "ghcr.io/"],
  ["k8s.m.daocloud.io/", "registry.k8s.io/"],
  ["k8s-gcr.m.daocloud.io/", "k8s.gcr.io/"],
  ["quay.m.daocloud.io/", "quay.io/"],
  ["m.daocloud.io/", ""],
  ["mirror.gcr.io/", "docker.io/"],
  ["public.ecr.aws/docker/", "docker.io/"],
  ["registry.aliyuncs.com/google_containers/", "registry.k8s.io/"],
  ["registry.cn-hangzhou.aliyuncs.com/google_containers/", "registry.k8s.io/"],
];

/** The repository that a mirror's repository is a copy of; any other is its own origin. */
export function originOf(repository: string): string {
  for (const [prefix, origin] of mirrors)
    if (repository.startsWith(prefix))
      return parseImageName(`${origin}${repository.slice(prefix.length)}`).repository;
  return repository;
}
