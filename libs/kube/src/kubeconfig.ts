import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { terminal } from "@microremed/core";
import { load } from "js-yaml";
import { z } from "zod";
import { type ExecPlugin, type PluginCredential, runExecPlugin } from "./exec-plugin.ts";

const Named = <T extends z.ZodRawShape>(key: string, shape: T) =>
  z.looseObject({ name: z.string(), [key]: z.looseObject(shape) });

const KubeconfigFile = z.looseObject({
  "current-context": z.string().optional(),
  contexts: z.array(Named("context", { cluster: z.string(), user: z.string() })).default([]),
  clusters: z
    .array(z.looseObject({ name: z.string(), cluster: z.looseObject({ server: z.url() }) }))
    .default([]),
  users: z.array(z.looseObject({ name: z.string(), user: z.looseObject({}).nullish() })).default([]),
});

const Text = z.string().optional().catch(undefined);
const ClusterPart = z.looseObject({
  server: z.url(),
  "certificate-authority": Text,
  "certificate-authority-data": Text,
  "insecure-skip-tls-verify": z.boolean().optional(),
  "tls-server-name": Text,
  "proxy-url": Text,
});
const UserPart = z.looseObject({
  token: Text,
  tokenFile: Text,
  username: Text,
  password: Text,
  "client-certificate": Text,
  "client-certificate-data": Text,
  "client-key": Text,
  "client-key-data": Text,
  exec: z
    .looseObject({
      apiVersion: z.string(),
      command: z.string(),
      args: z.array(z.string()).nullish(),
      env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
    })
    .optional(),
});

/** What a TLS connection to the API server needs. */
interface TlsOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

/** Where an API server is and how to prove who we are. */
export interface Access {
  readonly server: URL;
  /** PEM of the CA, undefined when the public ones hold. */
  readonly ca: string | undefined;
  /** TLS options and the Authorization header. `renew`: the last one was refused. */
  credentials(renew?: boolean): Promise<{ tls: TlsOptions; authorization: string | undefined }>;
}

function wrong(file: string, what: string): Error {
  return terminal("invalid-config", `kubeconfig ${file}: ${what}`);
}

/** Reads one context of a kubeconfig file; relative paths in it are relative to the file. */
export async function readKubeconfig(file: string, context?: string): Promise<Access> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw wrong(file, `cannot be read (${String((error as Error).message)})`);
  }
  return parseKubeconfig(text, { file, ...(context !== undefined && { context }) });
}

/** Like readKubeconfig, from text. `file` names it in errors. */
export async function parseKubeconfig(
  text: string,
  options: { file: string; context?: string },
): Promise<Access> {
  const { file } = options;
  let raw: unknown;
  try {
    raw = load(text);
  } catch (error) {
    throw wrong(file, `is not YAML (${String((error as Error).message).split("\n")[0]})`);
  }
  const parsed = KubeconfigFile.safeParse(raw);
  if (!parsed.success) throw wrong(file, z.prettifyError(parsed.error));
  const config = parsed.data;
  const name = options.context ?? config["current-context"];
  const context = config.contexts.find((one) => one.name === name);
  if (!context) throw wrong(file, `has no context ${JSON.stringify(name)}`);
  const { cluster: clusterName, user: userName } = z
    .looseObject({ cluster: z.string(), user: z.string() })
    .parse(context.context);
  const cluster = ClusterPart.safeParse(config.clusters.find((one) => one.name === clusterName)?.cluster);
  if (!cluster.success) throw wrong(file, `has no usable cluster ${JSON.stringify(clusterName)}`);
  const user = UserPart.safeParse(config.users.find((one) => one.name === userName)?.user ?? {});
  if (!user.success) throw wrong(file, `user ${JSON.stringify(userName)}: ${z.prettifyError(user.error)}`);
  if (cluster.data["proxy-url"])
    throw wrong(file, "proxy-url is not supported; reach the API server directly");
  return createAccess(cluster.data, user.data, dirname(file));
}

async function createAccess(
  cluster: z.infer<typeof ClusterPart>,
  user: z.infer<typeof UserPart>,
  folder: string,
): Promise<Access> {
  const pem = async (data: string | undefined, path: string | undefined): Promise<string | undefined> => {
    if (data !== undefined) return Buffer.from(data, "base64").toString("utf8");
    return path === undefined ? undefined : await readFile(resolve(folder, path), "utf8");
  };
  const ca = await pem(cluster["certificate-authority-data"], cluster["certificate-authority"]);
  const cert = await pem(user["client-certificate-data"], user["client-certificate"]);
  const key = await pem(user["client-key-data"], user["client-key"]);
  const servername = cluster["tls-server-name"];
  const tls: TlsOptions = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(servername !== undefined && { servername }),
    ...(cluster["insecure-skip-tls-verify"] && { rejectUnauthorized: false }),
  };
  let plugin: PluginCredential | undefined;
  return {
    server: new URL(cluster.server),
    ca,
    async credentials(renew = false) {
      if (user.exec) {
        const stale = plugin?.expiresAt !== undefined && plugin.expiresAt < Date.now() + 60_000;
        if (!plugin || renew || stale) plugin = await runExecPlugin(toPlugin(user.exec, folder));
        return {
          tls: {
            ...tls,
            ...(plugin.cert !== undefined && { cert: plugin.cert }),
            ...(plugin.key !== undefined && { key: plugin.key }),
          },
          authorization: plugin.token === undefined ? undefined : `Bearer ${plugin.token}`,
        };
      }
      if (user.tokenFile) {
        // Kubernetes renews projected tokens in place: read the file each time.
        const token = (await readFile(resolve(folder, user.tokenFile), "utf8")).trim();
        return { tls, authorization: `Bearer ${token}` };
      }
      if (user.token) return { tls, authorization: `Bearer ${user.token}` };
      if (user.username === undefined) return { tls, authorization: undefined };
      const basic = Buffer.from(`${user.username}:${user.password ?? ""}`).toString("base64");
      return { tls, authorization: `Basic ${basic}` };
    },
  };
}

function toPlugin(exec: NonNullable<z.infer<typeof UserPart>["exec"]>, folder: string): ExecPlugin {
  const isPath = exec.command.includes("/");
  return {
    apiVersion: exec.apiVersion,
    command: isPath ? resolve(folder, exec.command) : exec.command,
    args: exec.args ?? [],
    env: Object.fromEntries((exec.env ?? []).map(({ name, value }) => [name, value])),
  };
}
