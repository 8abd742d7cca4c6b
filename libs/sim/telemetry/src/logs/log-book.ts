import type { ContainerRuntime, LogLine, Logs, Machine, PodSandbox } from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";
import { linesOf, selectLines } from "./select-lines.ts";

/** How often containers are checked for replacements, ms. */
const sweepMs = 1000;
/** How often a follower reads new lines, ms. */
const followMs = 250;

/** The present (or last) container of a name in a pod, and the one before it. */
interface Pages {
  readonly current: ContainerRuntime;
  readonly previous: ContainerRuntime | undefined;
}

export interface LogBook extends Disposable {
  readonly read: Logs;
}

/** Reads containers' logs for the API server, the present ones and those before the last restart. */
export function createLogBook({
  loop,
  machine,
}: {
  readonly loop: EventLoop;
  readonly machine: Machine;
}): LogBook {
  const books = loop.keep(new Map<PodSandbox, Map<string, Pages>>());

  function pagesOf(sandbox: PodSandbox): Map<string, Pages> {
    const known = books.get(sandbox);
    const book = known ?? loop.keep(new Map<string, Pages>());
    if (!known) books.set(sandbox, book);
    if (sandbox.ended) for (const container of sandbox.ended.values()) turnPage(book, container);
    for (const container of sandbox.containers.values()) turnPage(book, container);
    return book;
  }

  function turnPage(book: Map<string, Pages>, container: ContainerRuntime): void {
    const pages = book.get(container.name);
    if (!pages) book.set(container.name, { current: container, previous: undefined });
    else if (pages.current !== container && pages.previous !== container)
      book.set(container.name, { current: container, previous: pages.current });
  }

  const stop = loop.every(sweepMs, "log sweep", () => {
    for (const sandbox of machine.sandboxes.values()) pagesOf(sandbox);
    for (const sandbox of books.keys()) if (!machine.sandboxes.has(sandbox.uid)) books.delete(sandbox);
  });

  function find(
    namespace: string,
    pod: string,
    name: string,
    previous: boolean,
  ): ContainerRuntime | undefined {
    const sandbox = machine.byPod(namespace, pod);
    const pages = sandbox && pagesOf(sandbox).get(name);
    if (!sandbox || !pages || !previous) return pages?.current;
    // With no container running now, the last one is the previous one.
    return sandbox.containers.has(name) ? pages.previous : pages.current;
  }

  const runs = (namespace: string, pod: string, container: ContainerRuntime): boolean =>
    machine.byPod(namespace, pod)?.containers.get(container.name) === container;

  return {
    read({ namespace, pod, container: name }, options, signal) {
      const container = find(namespace, pod, name, options.previous);
      if (!container) return "";
      const chosen = (): readonly LogLine[] => selectLines(container.logs, options, loop.now());
      const all = (): string => linesOf(chosen(), options.timestamps).slice(0, options.limitBytes);
      const alive = (): boolean => runs(namespace, pod, container);
      if (options.follow && alive()) return follow(container, chosen, options.timestamps, alive, signal);
      return container.printUntil ? printedFirst(container, all) : all();
    },
    [Symbol.dispose]: stop,
  };

  async function* printedFirst(container: ContainerRuntime, all: () => string): AsyncGenerator<string> {
    await container.printUntil?.(loop.now());
    yield all();
  }

  async function* follow(
    container: ContainerRuntime,
    chosen: () => readonly LogLine[],
    timestamps: boolean,
    runs: () => boolean,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    await container.printUntil?.(loop.now());
    const first = chosen();
    let seen = container.logs.at(-1);
    if (first.length > 0) yield linesOf(first, timestamps);
    for (let alive = true; alive && !signal.aborted; ) {
      try {
        await loop.sleep(followMs, signal);
      } catch {
        return;
      }
      alive = runs();
      await container.printUntil?.(loop.now());
      const from = seen ? container.logs.lastIndexOf(seen) + 1 : 0;
      const fresh = container.logs.slice(from);
      seen = container.logs.at(-1) ?? seen;
      if (fresh.length > 0) yield linesOf(fresh, timestamps);
    }
  }
}
