import type { Spent } from "@microremed/contracts";
import type { ModelProxy } from "./model-proxy.ts";
import type { ToolCalled } from "./session-client.ts";

/** What became of a call: the range counts it, has not taken it, or it is not known whether it has. */
export type Fate = "taken" | "refused" | "unknown";

/** What the model of a turn has used up, on its way to the range: each call takes along what is new, and what is not taken goes with the next. */
export interface CountedCalls {
  /**
   * Finds out what became of the last call, where that is not known, by sending it again; not where `next` is the same call. Never throws:
   * what cannot be found out counts as not taken.
   */
  settle(next?: ToolCalled): Promise<void>;
  /** After `settle(call)`: sends a call with what was spent. One that is sent again says the same again, so that it is counted once. */
  make<T>(call: ToolCalled, send: (call: ToolCalled) => Promise<T>, fateOf: (result: T) => Fate): Promise<T>;
  /** Sends what is no call with an id, and so can't be sent again. */
  carry<T>(send: (spent: Spent) => Promise<T>, fateOf: (result: T) => Fate): Promise<T>;
}

/** `again`: sends a call until it is known what became of it. */
export function createCountedCalls(
  model: Pick<ModelProxy, "take" | "giveBack">,
  again: (call: ToolCalled) => Promise<Fate>,
): CountedCalls {
  const taken = new Set<string>();
  let unsure: (ToolCalled & { readonly spent: Spent }) | undefined;
  return {
    settle: async (next) => {
      if (!unsure || (next && isSame(next, unsure))) return;
      const fate = await again(unsure).catch(() => "unknown" as const);
      if (fate === "taken") taken.add(unsure.id);
      else model.giveBack(unsure.spent);
      unsure = undefined;
    },
    make: async (call, send, fateOf) => {
      // The range has counted it: what is new goes with another call.
      if (taken.has(call.id)) return send({ ...call, spent: undefined });
      const made = { ...call, spent: unsure?.spent ?? model.take() };
      unsure = made;
      const result = await send(made);
      const fate = fateOf(result);
      if (fate === "unknown") return result;
      unsure = undefined;
      if (fate === "taken") taken.add(call.id);
      else model.giveBack(made.spent);
      return result;
    },
    carry: async (send, fateOf) => {
      const spent = model.take();
      let fate: Fate = "unknown";
      try {
        const result = await send(spent);
        fate = fateOf(result);
        return result;
      } finally {
        if (fate !== "taken") model.giveBack(spent);
      }
    },
  };
}

/** Without a model whose use is counted: the program's own word is passed on. */
export function uncountedCalls(): Pick<CountedCalls, "settle" | "make"> {
  return { settle: async () => {}, make: (call, send) => send(call) };
}

const isSame = (a: ToolCalled, b: ToolCalled): boolean =>
  a.id === b.id && a.tool === b.tool && JSON.stringify(a.arguments) === JSON.stringify(b.arguments);
