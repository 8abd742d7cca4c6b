import { type OracleContext, type TargetState, type WriteReading, writeCount } from "@microremed/catalogue";
import { AppError, isLate } from "@microremed/core";

const timeoutMs = 180_000;
/** What `timeout` ends with. */
const noEndCode = 124;

/**
 * Writes in every pod, all at once. Each dd makes at least two calls that the disk fault delays (write, fsync), each
 * with chance 1/2, so that all 12 are fast under the fault with probability 4^-12 < 1e-7 at most.
 */
export async function writeInPods(context: OracleContext, state: TargetState): Promise<WriteReading[]> {
  const path = context.environment.dataMounts[state.target] ?? "";
  await using _hold = await context.cluster.clock.hold();
  return await Promise.all(
    state.pods.map(async ({ metadata, spec }) => {
      const container = spec?.containers.find(({ name }) => name === state.container);
      const mounted = container?.volumeMounts?.some(({ mountPath }) => mountPath === path) ?? false;
      const reading = { pod: metadata.name, mounted };
      try {
        const { exitCode, stderr } = await context.cluster.exec({
          namespace: context.namespace,
          pod: metadata.name,
          container: state.container,
          command: ["sh", "-c", writeScript(path)],
          timeoutMs,
        });
        return { ...reading, exitCode, seconds: parseDd(stderr), error: exitCode === 0 ? "" : stderr.trim() };
      } catch (error) {
        // A write that never ends is none.
        if (isLate(error))
          return { ...reading, exitCode: noEndCode, seconds: [timeoutMs / 1000], error: "no end" };
        if (!(error instanceof AppError) || error.code !== "cluster-refused") throw error;
        return { ...reading, exitCode: null, seconds: [], error: error.message };
      }
    }),
  );
}

/** Stops at the first write of 1 s or more: it has failed then, and the fault makes each further one slow too. */
export function writeScript(path: string): string {
  return [
    `f='${path}/.microremed-probe'`,
    "code=0",
    `for i in $(seq 1 ${writeCount}); do`,
    "  said=$(dd if=/dev/zero of=$f bs=1M count=1 conv=fsync 2>&1) || code=1",
    '  echo "$said" >&2',
    "  [ $code = 0 ] || break",
    // GNU's dd writes very short times as 9.9e-05.
    '  case "$said" in *"copied, "[1-9]*e-*) ;; *"copied, "[1-9]*) break ;; esac',
    "done",
    "rm -f $f || code=1",
    "exit $code",
  ].join("\n");
}

/** The elapsed seconds of every dd that finished, in GNU's and busybox's words. */
export function parseDd(output: string): number[] {
  return [...output.matchAll(/copied, ([\d.eE+-]+) s(?:econds)?\b/g)].map(([, seconds]) => Number(seconds));
}
