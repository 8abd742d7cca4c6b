import { KubeConfig } from "@kubernetes/client-node";
import { execa } from "execa";
import type { Target } from "./case.types.ts";
import { createHttpsClient } from "./https-client.ts";

const maxOutput = 10_000_000;

/** A kubectl command is short: garbage collection costs up to a third of its CPU and frees nothing that is needed. */
const withoutCollections = { GOGC: "off", GOMEMLIMIT: "256MiB" };
/** Ansible's main process asks this often, in s, whether a task has ended; by default a thousand times a second. */
const seldomAsked = { ANSIBLE_INTERNAL_POLL_INTERVAL: "0.02" };

/**
 * Opens a cluster for all clients. `dir` is HOME and cache of the ones that are started; they are searched for in `programs`
 * first, if it is given.
 */
export async function openTarget(
  kubeconfig: string,
  dir: string,
  programs?: string,
): Promise<Target & Disposable> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const https = await createHttpsClient(config);

  const env = {
    HOME: dir,
    TMPDIR: dir,
    KUBECONFIG: kubeconfig,
    K8S_AUTH_KUBECONFIG: kubeconfig,
    KUBE_EDITOR: "true",
    ...(programs !== undefined && { PATH: `${programs}:${process.env["PATH"]}` }),
    ...withoutCollections,
    ...seldomAsked,
  };

  return {
    kubeconfig,
    config,
    dir,
    http: https.http,
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
          const check = (): void => {
            const found = pattern.exec(text);
            if (found) resolve(found);
          };
          child.all.on("data", check);
          child.all.on("close", () => reject(new Error(`expected ${pattern}, but it was\n${text}`)));
          check();
          return promise;
        },
        async [Symbol.asyncDispose]() {
          child.kill();
          await child;
        },
      };
    },
    [Symbol.dispose]: () => https[Symbol.dispose](),
  };
}
