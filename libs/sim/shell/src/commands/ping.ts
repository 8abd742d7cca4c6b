import type { CommandContext } from "../container/command.types.ts";
import { parseOptions } from "../container/options.ts";

/** How long both implementations wait for the last answers by default, ms. */
const lingerMs = 10_000;
const maxCount = 100_000;
/** Longer than any ping lasts, ms of cluster time. */
const longestMs = 365 * 86_400_000;

interface Tally {
  sent: number;
  readonly times: number[];
  readonly startedAt: number;
  endedAt: number;
}

/** `ping`, as busybox or iputils: one echo per interval of cluster time, answers printed as they come in. */
export async function ping(context: CommandContext): Promise<number> {
  const { args, deps, sandbox, flavour, name } = context;
  const { flags, values, rest, unknown } = parseOptions(
    args,
    ["q", "n", "4", "6", "v", "A", "O", "D"],
    ["c", "i", "W", "w", "s", "I", "t"],
  );
  const host = rest[0];
  if (unknown || !host) {
    context.err(host ? `${name}: invalid option -- '${unknown}'\n` : usage(flavour));
    return flavour === "busybox" ? 1 : 2;
  }
  const [address] = deps.network.resolve(sandbox, host);
  if (address === undefined) {
    context.err(
      flavour === "busybox" ? `ping: bad address '${host}'\n` : `ping: ${host}: Name or service not known\n`,
    );
    return flavour === "busybox" ? 1 : 2;
  }
  const size = Number(values.get("s") ?? 56);
  context.out(
    flavour === "busybox"
      ? `PING ${host} (${address}): ${size} data bytes\n`
      : `PING ${host} (${address}) ${size}(${size + 28}) bytes of data.\n`,
  );
  const seconds = (option: string): number | undefined =>
    values.has(option) ? Math.max(0.01, Number(values.get(option)) || 0) * 1000 : undefined;
  const startedAt = deps.loop.now();
  const tally: Tally = { sent: 0, times: [], startedAt, endedAt: startedAt };
  await run(context, address, tally, {
    count: Math.min(Number(values.get("c") ?? maxCount) || maxCount, maxCount),
    intervalMs: seconds("i") ?? 1000,
    lingerMs: seconds("W") ?? lingerMs,
    deadlineMs: seconds("w"),
    size,
    quiet: flags.has("q"),
  });
  context.out(summary(flavour, host, tally));
  return tally.times.length > 0 ? 0 : 1;
}

interface Plan {
  readonly count: number;
  readonly intervalMs: number;
  readonly lingerMs: number;
  readonly deadlineMs: number | undefined;
  readonly size: number;
  readonly quiet: boolean;
}

/** Driven by the event loop alone, so that it keeps its interval however fast time runs. It sleeps until it is over. */
async function run(context: CommandContext, address: string, tally: Tally, plan: Plan): Promise<void> {
  const over = new AbortController();
  const asleep = context.deps.loop.sleep(longestMs, over.signal).catch(() => undefined);
  try {
    await echo(context, address, tally, plan, () => over.abort());
  } finally {
    over.abort();
    await asleep;
  }
}

/** `onEnd` is called within the event that ends it: no further one comes before the command goes on. */
function echo(
  context: CommandContext,
  address: string,
  tally: Tally,
  plan: Plan,
  onEnd: () => void,
): Promise<void> {
  const { deps, sandbox, signal } = context;
  const { loop, network } = deps;
  return new Promise((resolve, reject) => {
    const cancels = new Set<() => void>();
    let over = false;
    const later = (ms: number, task: () => void): void => {
      const cancel = loop.after(ms, "ping", () => {
        cancels.delete(cancel);
        if (!over) task();
      });
      cancels.add(cancel);
    };
    const finish = (): void => {
      over = true;
      tally.endedAt = loop.now();
      for (const cancel of cancels) cancel();
      signal.removeEventListener("abort", abort);
      onEnd();
      resolve();
    };
    const abort = (): void => {
      finish();
      reject(signal.reason);
    };
    const receive = (sequence: number, elapsedMs: number): void => {
      tally.times.push(elapsedMs);
      if (!plan.quiet) context.out(answer(context.flavour, address, sequence, elapsedMs, plan.size));
      if (tally.times.length >= plan.count) finish();
    };
    const send = (): void => {
      const sequence = tally.sent++;
      const answered = network.ping(sandbox, address, Math.max(plan.lingerMs, lingerMs));
      if (answered.ok) later(answered.elapsedMs, () => receive(sequence, answered.elapsedMs));
      if (tally.sent < plan.count) later(plan.intervalMs, send);
      else later(plan.lingerMs, finish);
    };
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    if (plan.deadlineMs !== undefined) later(plan.deadlineMs, finish);
    send();
  });
}

function answer(
  flavour: "busybox" | "gnu",
  address: string,
  sequence: number,
  elapsedMs: number,
  size: number,
): string {
  return flavour === "busybox"
    ? `${size + 8} bytes from ${address}: seq=${sequence} ttl=62 time=${elapsedMs.toFixed(3)} ms\n`
    : `${size + 8} bytes from ${address}: icmp_seq=${sequence + 1} ttl=62 time=${significant(elapsedMs)} ms\n`;
}

/** iputils prints three significant digits above 1 ms. */
function significant(ms: number): string {
  if (ms >= 100) return ms.toFixed(0);
  if (ms >= 10) return ms.toFixed(1);
  return ms >= 1 ? ms.toFixed(2) : ms.toFixed(3);
}

function summary(
  flavour: "busybox" | "gnu",
  host: string,
  { sent, times, startedAt, endedAt }: Tally,
): string {
  const lost = sent === 0 ? 0 : Math.floor(((sent - times.length) * 100) / sent);
  const head = `\n--- ${host} ping statistics ---\n`;
  const min = Math.min(...times);
  const max = Math.max(...times);
  const average = times.reduce((sum, time) => sum + time, 0) / times.length;
  if (flavour === "busybox") {
    const counts = `${sent} packets transmitted, ${times.length} packets received, ${lost}% packet loss\n`;
    if (times.length === 0) return head + counts;
    return `${head}${counts}round-trip min/avg/max = ${min.toFixed(3)}/${average.toFixed(3)}/${max.toFixed(3)} ms\n`;
  }
  const exact = sent === 0 ? 0 : ((sent - times.length) * 100) / sent;
  const counts = `${sent} packets transmitted, ${times.length} received, ${Number(exact.toPrecision(6))}% packet loss, time ${Math.round(endedAt - startedAt)}ms\n`;
  if (times.length === 0) return `${head}${counts}\n`;
  const square = times.reduce((sum, time) => sum + time * time, 0) / times.length;
  const deviation = Math.sqrt(Math.max(0, square - average * average));
  const numbers = [min, average, max, deviation].map((number) => number.toFixed(3)).join("/");
  return `${head}${counts}rtt min/avg/max/mdev = ${numbers} ms\n`;
}

function usage(flavour: "busybox" | "gnu"): string {
  return flavour === "busybox"
    ? "BusyBox v1.35.0 multi-call binary.\n\nUsage: ping [OPTIONS] HOST\n"
    : "ping: usage error: Destination address required\n";
}
