import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CaseContext, Target } from "./case.types.ts";

const cleanUpMs = 20_000;

/** A case's context; disposing it does what was to be done afterwards. */
export function createCaseContext(
  target: Target,
  namespace: string,
  signal: AbortSignal,
): CaseContext & AsyncDisposable {
  const actions: (() => Promise<void>)[] = [];
  let current = signal;
  const fill = (text: string): string => text.replaceAll("$NS", namespace);
  /** The words with the case's namespace and a cache that all cases share. */
  function complete(args: readonly string[], user: readonly string[] = []): readonly string[] {
    const cache = ["--cache-dir", join(target.dir, "cache")];
    const hasPlace = args.some((arg) => /^(-n|--namespace|-A|--all-namespaces)\b/.test(arg));
    const place = hasPlace ? [] : ["-n", namespace];
    const separator = args.indexOf("--");
    const end = separator < 0 ? args.length : separator;
    return [...args.slice(0, end), ...place, ...cache, ...user, ...args.slice(end)];
  }
  return {
    target,
    namespace,
    get signal() {
      return current;
    },
    fill,
    async kubectl(args, { input, as } = {}) {
      const user =
        as === undefined ? [] : ["--kubeconfig", await kubeconfigOf(target, namespace, as, current)];
      return target.run("kubectl", complete(args, user), {
        signal: current,
        ...(input !== undefined && { input }),
      });
    },
    serving: (args) => target.serve("kubectl", complete(args), { signal: current }),
    afterwards: (action) => {
      actions.push(action);
    },
    async [Symbol.asyncDispose]() {
      current = AbortSignal.timeout(cleanUpMs);
      for (const action of actions.reverse()) await action().catch(() => {});
    },
  };
}

/** Writes a kubeconfig with a fresh token of a service account. */
async function kubeconfigOf(
  target: Target,
  namespace: string,
  account: string,
  signal: AbortSignal,
): Promise<string> {
  const { status, text } = await target.http(
    "POST",
    `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
    {
      signal,
      body: JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} }),
    },
  );
  if (status !== 201) throw new Error(`no token for ${account}: ${status} ${text}`);
  const cluster = target.config.getCurrentCluster();
  const path = join(target.dir, `${namespace}-${account}.json`);
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "it",
    contexts: [{ name: "it", context: { cluster: "it", user: "it", namespace } }],
    clusters: [
      {
        name: "it",
        cluster: {
          server: cluster?.server,
          ...(cluster?.caData && { "certificate-authority-data": cluster.caData }),
          ...(cluster?.caFile && { "certificate-authority": cluster.caFile }),
          ...(cluster?.skipTLSVerify && { "insecure-skip-tls-verify": true }),
        },
      },
    ],
    users: [{ name: "it", user: { token: JSON.parse(text).status.token } }],
  };
  await writeFile(path, JSON.stringify(config), { mode: 0o600 });
  return path;
}
