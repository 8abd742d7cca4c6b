import { type KubeObject, resources } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { fullImageName, parseImageName } from "./image-name.ts";

/** The registry logins that a pod brings along. */
export interface PullSecrets {
  /** Names of Secrets that it names and that are not there. */
  readonly missing: readonly string[];
  /** Hosts of the registries for which the others have a login. */
  readonly registries: readonly string[];
}

/** Reads the Secrets that a pod names for the pulling of its images. */
export function findPullSecrets(store: Pick<Store, "get">, { metadata, spec }: KubeObject): PullSecrets {
  const named = (spec.imagePullSecrets ?? []) as readonly { readonly name?: string }[];
  const names = named.flatMap(({ name }) => (name ? [name] : []));
  const found = names.map((name) => ({
    name,
    secret: store.get(resources.secrets, metadata.namespace, name),
  }));
  return {
    missing: found.flatMap(({ name, secret }) => (secret ? [] : [name])),
    registries: found.flatMap(({ secret }) => (secret ? registriesIn(secret) : [])),
  };
}

function registriesIn(secret: KubeObject): string[] {
  const data = (secret["data"] ?? {}) as Readonly<Record<string, string>>;
  try {
    const config = JSON.parse(Buffer.from(data[".dockerconfigjson"] ?? "", "base64").toString());
    return Object.keys(config.auths ?? {}).map((registry) => registry.replace(/^https?:\/\/|\/.*$/g, ""));
  } catch {
    return [];
  }
}

/** A registry with a token service: only those who are logged in learn whether it has a repository. */
const withTokens = "registry.gitlab.com";
/** One of a cloud's accounts; it takes the password with each request. */
const withPasswords = /\.dkr\.ecr\.[a-z0-9-]+\.amazonaws\.com$/;

/** Why containerd could not pull an image. `registries`: those to which the pod has a login. */
export function pullError(image: string, registries: readonly string[]): string {
  const name = fullImageName(image);
  const { repository, tag, digest } = parseImageName(image);
  const [registry = "", ...path] = repository.split("/");
  const failed = `failed to pull and unpack image "${name}": failed to resolve reference "${name}":`;
  if (registry === withTokens) {
    const token = registries.includes(registry) ? "oauth" : "anonymous";
    const url = `https://gitlab.com/jwt/auth?scope=repository%3A${path.join("%2F")}%3Apull&service=container_registry`;
    return `${failed} failed to authorize: failed to fetch ${token} token: unexpected status from GET request to ${url}: 403 Forbidden`;
  }
  if (withPasswords.test(registry)) {
    const url = `https://${registry}/v2/${path.join("/")}/manifests/${digest ?? tag}`;
    return `${failed} unexpected status from HEAD request to ${url}: 401 Unauthorized`;
  }
  return `rpc error: code = NotFound desc = ${failed} ${name}: not found`;
}
