import { readFile, writeFile } from "node:fs/promises";
import { dump, load } from "js-yaml";

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: object }[];
  readonly users: readonly { readonly user: object }[];
}

/** Writes a kubeconfig with a context for each of others' files, by its name; none of them is the current one. */
export async function writeContexts(file: string, of: Readonly<Record<string, string>>): Promise<void> {
  const parts = await Promise.all(
    Object.entries(of).map(async ([name, path]) => {
      const { clusters, users } = load(await readFile(path, "utf8")) as Kubeconfig;
      return { name, cluster: clusters[0]?.cluster, user: users[0]?.user };
    }),
  );
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: parts.map(({ name, cluster }) => ({ name, cluster })),
    users: parts.map(({ name, user }) => ({ name, user })),
    contexts: parts.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
  };
  await writeFile(file, dump(config), { mode: 0o600 });
}
