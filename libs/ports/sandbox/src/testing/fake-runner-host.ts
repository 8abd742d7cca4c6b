import { PassThrough, Writable } from "node:stream";
import { type KubeObject, kinds, type Pod } from "@microremed/cluster";
import type { ExecStream } from "@microremed/cluster/kubeconfig";
import { terminal } from "@microremed/core";
import { createFrameReader, frameOf, frames } from "../pods/frames.ts";
import type { RunnerHost } from "../pods/runner-host.types.ts";

/** A cluster in memory whose pods run at once, and whose programs are this. */
export interface FakeRunnerHost extends RunnerHost {
  readonly pods: Map<string, Pod>;
  /** Names of all that were ever made, in order. */
  readonly made: string[];
  /** What pods reach that they must not. */
  reached: readonly string[];
  /** Thrown by the next creations of pods. */
  refusal: Error | undefined;
  /** What the next pods' status is; undefined: they run. */
  status: Pod["status"] | undefined;
  /** What a run prints and how it ends; undefined: it does not end. */
  program: { readonly prints?: string; readonly exitCode: number } | undefined;
  /** Ends a pod's connections, and gives it that status; null: it is gone. */
  lose(name: string, status: Pod["status"] | null): void;
}

const running: Pod["status"] = {
  phase: "Running",
  containerStatuses: ["run", "gateway"].map((name) => ({ name, state: { running: {} } })),
};

/** A host for tests of what becomes of pods. Each pod's gateway answers, and its program is `program`. */
export function fakeRunnerHost(): FakeRunnerHost {
  const pods = new Map<string, Pod>();
  const streams = new Map<string, Set<() => void>>();
  const breakOff = (name: string): void => {
    for (const end of streams.get(name) ?? []) end();
    streams.delete(name);
  };
  const host: FakeRunnerHost = {
    pods,
    made: [],
    reached: [],
    refusal: undefined,
    status: undefined,
    program: { exitCode: 0 },
    lose(name, status) {
      const pod = pods.get(name);
      if (status === null) pods.delete(name);
      else if (pod) pods.set(name, { ...pod, status } as Pod);
      breakOff(name);
    },
    cluster: {
      async create(object: KubeObject) {
        if (object.kind !== kinds.pod.kind) return { ...object, status: { allowed: true } };
        if (host.refusal) throw host.refusal;
        const { name } = object.metadata;
        host.made.push(name);
        pods.set(name, { ...object, status: host.status ?? running } as Pod);
        return object;
      },
      get: async (_kind, _namespace, name) => pods.get(name) as never,
      list: async () => [...pods.values()] as never,
      async patch(_kind, _namespace, name, { body }) {
        const pod = pods.get(name);
        if (!pod) throw terminal("cluster-refused", "no such pod", { status: 404 });
        const { metadata, spec } = body as Partial<Pod>;
        const patched = {
          ...pod,
          metadata: { ...pod.metadata, ...metadata, name },
          spec: { ...pod.spec, ...spec },
        } as Pod;
        pods.set(name, patched);
        return patched;
      },
      async delete(_kind, _namespace, name) {
        breakOff(name);
        return pods.delete(name);
      },
    },
    async openExec({ pod, container }) {
      const output = new PassThrough();
      const { promise: ended, resolve, reject } = Promise.withResolvers<number>();
      ended.catch(() => undefined);
      const end = (): void => {
        reject(new Error("the connection closed"));
        output.end();
      };
      const all = streams.get(pod) ?? new Set();
      streams.set(pod, all.add(end));
      const answer = container === "gateway" ? answerFrames(host, output) : runProgram(host, output, resolve);
      const stdin = new Writable({ write: (chunk: Buffer, _encoding, done) => done(void answer(chunk)) });
      return { stdin, output, ended, [Symbol.dispose]: end } satisfies ExecStream;
    },
  };
  return host;
}

/** The gateway's program comes first, after its length in a line; then frames. */
function answerFrames(host: FakeRunnerHost, output: PassThrough): (chunk: Buffer) => void {
  let isLoaded = false;
  const read = createFrameReader();
  return (chunk) => {
    const asked = isLoaded ? read(chunk) : [];
    isLoaded = true;
    for (const { kind, number } of asked) {
      if (kind === frames.check)
        output.write(frameOf(frames.check, 0, Buffer.from(JSON.stringify(host.reached))));
      if (kind === frames.listen) output.write(frameOf(frames.listen, number));
    }
  };
}

function runProgram(
  host: FakeRunnerHost,
  output: PassThrough,
  resolve: (code: number) => void,
): (chunk: Buffer) => void {
  return () => {
    if (!host.program) return;
    output.write(host.program.prints ?? "");
    output.end();
    resolve(host.program.exitCode);
  };
}
