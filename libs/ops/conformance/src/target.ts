import { Agent, request } from "node:https";
import { KubeConfig } from "@kubernetes/client-node";
import { execa } from "execa";
import type { HttpAnswer, HttpOptions, Target } from "./case.types.ts";

const maxOutput = 10_000_000;

/** Opens a cluster for all clients. `dir` is HOME and cache of the ones that are started. */
export async function openTarget(kubeconfig: string, dir: string): Promise<Target & Disposable> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const server = new URL(config.getCurrentCluster()?.server ?? "https://localhost");
  const options: Record<string, unknown> & { headers?: Record<string, string> } = {};
  await config.applyToHTTPSOptions(options);
  const { ca, cert, key, rejectUnauthorized, servername, headers: credentials } = options;
  const tls = Object.entries({ ca, cert, key, rejectUnauthorized, servername }).filter(
    ([, value]) => value != null,
  );
  const agent = new Agent({ keepAlive: true, ...Object.fromEntries(tls) });
  const authorization = bearerOf(config, credentials);

  async function http(method: string, path: string, wanted: HttpOptions): Promise<HttpAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    const { body, contentType = "application/json", accept = "application/json" } = wanted;
    const sent = request(
      new URL(path, server),
      {
        method,
        agent,
        signal: wanted.signal,
        headers: {
          accept,
          ...authorization,
          ...(body !== undefined && {
            "content-type": contentType,
            "content-length": Buffer.byteLength(body),
          }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
    return promise;
  }

  const env = {
    HOME: dir,
    TMPDIR: dir,
    KUBECONFIG: kubeconfig,
    K8S_AUTH_KUBECONFIG: kubeconfig,
    KUBE_EDITOR: "true",
  };

  return {
    kubeconfig,
    config,
    dir,
    http,
    async run(program, args, { signal, input = "", cwd = dir }) {
      const result = await execa(program, args, {
        reject: false,
        input,
        cwd,
        cancelSignal: signal,
        maxBuffer: maxOutput,
        stripFinalNewline: false,
        env,
      });
      if (result.isCanceled)
        throw new Error(`${program} ${args.join(" ")} did not end in time: ${result.stdout}${result.stderr}`);
      if (result.exitCode === undefined) throw new Error(`${program} did not run: ${result.shortMessage}`);
      return { exit: result.exitCode, stdout: result.stdout, stderr: result.stderr };
    },
    serve(program, args, { signal, cwd = dir }) {
      const child = execa(program, args, { reject: false, cwd, cancelSignal: signal, env, all: true });
      let text = "";
      child.all.on("data", (chunk) => {
        text = `${text}${chunk}`.slice(-maxOutput);
      });
      return {
        printed(pattern) {
          const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
          const look = (): void => {
            const found = pattern.exec(text);
            if (found) resolve(found);
          };
          child.all.on("data", look);
          child.all.on("close", () => reject(new Error(`expected ${pattern}, but it was\n${text}`)));
          look();
          return promise;
        },
        async [Symbol.asyncDispose]() {
          child.kill();
          await child;
        },
      };
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

function bearerOf(config: KubeConfig, headers: Record<string, string> | undefined): Record<string, string> {
  const found = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === "authorization");
  const token = config.getCurrentUser()?.token;
  const value = found?.[1] ?? (token && `Bearer ${token}`);
  return value ? { authorization: value } : {};
}
