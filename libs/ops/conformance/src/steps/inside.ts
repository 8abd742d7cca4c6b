import { Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { CoreV1Api, Exec } from "@kubernetes/client-node";
import type { CaseContext, Step } from "../case.types.ts";
import { fillPattern } from "../match.ts";

const pauseMs = 200;

async function sh(
  exec: Exec,
  { namespace, signal }: CaseContext,
  pod: string,
  script: string,
): Promise<string> {
  let output = "";
  const sink = new Writable({
    write(chunk, _encoding, done) {
      output += chunk;
      done();
    },
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  const container = "main";
  const socket = await exec.exec(
    namespace,
    pod,
    container,
    ["sh", "-c", script],
    sink,
    sink,
    null,
    false,
    () => resolve(),
  );
  socket.onclose = () => resolve();
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  return output;
}

/** Waits until a script in a pod, or in the newest living pod labelled `app=<name>`, prints this. */
export const inside = (app: string, script: string, pattern: RegExp): Step => ({
  async run(context) {
    const { namespace, signal, fill, target } = context;
    const core = target.config.makeApiClient(CoreV1Api);
    const exec = new Exec(target.config);
    const wanted = fillPattern(pattern, fill);
    for (let last = "no pod runs"; ; ) {
      const { items } = await core.listNamespacedPod({ namespace, labelSelector: `app=${app}` });
      const pod = items.find(
        ({ metadata, status }) => !metadata?.deletionTimestamp && status?.phase === "Running",
      );
      try {
        if (pod?.metadata?.name) last = await sh(exec, context, pod.metadata.name, fill(script));
      } catch (error) {
        last = String(error instanceof Error ? error.message : error);
      }
      if (wanted.test(last)) return;
      if (signal.aborted) throw new Error(`in ${app}: ${script}\nnever printed ${wanted}, last was ${last}`);
      await delay(pauseMs, undefined, { signal }).catch(() => {});
    }
  },
});
