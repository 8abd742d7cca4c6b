/** Options by which servers take the addresses to listen on. */
const option =
  /^--?(bind(-?(address|ip|addr))?|host|listen(-?(address|addr|host|client-urls|peer-urls))?|http|addr(ess)?|b|a)$/i;

/** Programs that connect where such an option leads. */
const client = /(^|\/)(redis-cli|mysql|mysqladmin|psql|mongo(sh)?|curl|wget|nats|etcdctl)$/;

/**
 * Where alone a server listens, by the options of its command line: on its pod's address or on localhost. Undefined: on
 * all addresses, as most do by themselves.
 */
export function boundTo(argv: readonly string[], podIp: string): "pod" | "localhost" | undefined {
  if (client.test(argv[0] ?? "")) return undefined;
  const hosts = new Set(addressesIn(argv).map(hostOf));
  const isLocal = [...hosts].some(
    (host) => host === "localhost" || host.startsWith("127.") || host === "::1",
  );
  const isOnPod = hosts.has(podIp);
  // Other names and addresses are those of all, or none that a pod has.
  if (isLocal === isOnPod || [...hosts].some((host) => ["", "*", "0.0.0.0", "::"].includes(host)))
    return undefined;
  return isOnPod ? "pod" : "localhost";
}

/** The words after such an option up to the next one, or behind its `=`. */
function addressesIn(argv: readonly string[]): string[] {
  const found: string[] = [];
  let isOption = false;
  for (const word of argv) {
    const [name = "", value] = word.split(/=(.*)/s);
    if (word.startsWith("-") && !/^-\d*::/.test(word)) {
      isOption = option.test(name) && value === undefined;
      if (option.test(name) && value !== undefined) found.push(...value.split(","));
    } else if (isOption) found.push(...word.split(","));
  }
  return found;
}

/** `http://10.0.0.1:8080` -> `10.0.0.1`. */
const hostOf = (address: string): string =>
  address
    .replace(/^-/, "")
    .replace(/^\w+:\/\//, "")
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^([^:]*):\d+$/, "$1");
