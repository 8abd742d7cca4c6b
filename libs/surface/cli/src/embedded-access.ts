import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { harnessNamespace } from "@microremed/cluster";
import { terminal } from "@microremed/core";
import type { SimClusterOptions } from "@microremed/simcluster";

type Identity = NonNullable<SimClusterOptions["identity"]>;
type Users = NonNullable<SimClusterOptions["users"]>;

/** The authority in a directory as Kubernetes mounts a TLS Secret: tls.crt and tls.key. */
export async function readAuthority(directory: string): Promise<Required<Pick<Identity, "authority">>> {
  const [certPem, keyPem] = await Promise.all(
    ["tls.crt", "tls.key"].map((name) => readText(join(directory, name))),
  );
  return { authority: { certPem: certPem ?? "", keyPem: keyPem ?? "" } };
}

/** One file per service account of the harness's namespace: its name is the account's, its content the token. */
export async function readTokens(directory: string): Promise<Users> {
  // Kubernetes mounts the files as links into hidden directories.
  const accounts = (await readdir(directory)).filter((name) => !name.startsWith("."));
  return Promise.all(
    accounts.map(async (account) => ({
      token: (await readText(join(directory, account))).trim(),
      user: {
        name: `system:serviceaccount:${harnessNamespace}:${account}`,
        uid: account,
        groups: [
          "system:serviceaccounts",
          `system:serviceaccounts:${harnessNamespace}`,
          "system:authenticated",
        ],
      },
    })),
  );
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw terminal("invalid-config", `cannot read ${file}: ${reason}`);
  }
}
