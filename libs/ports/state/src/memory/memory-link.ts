import { retryable } from "@microremed/core";
import type { MemoryData } from "./memory-data.ts";

/** One connection to the state in memory. `work` is atomic: no other caller sees a part of it. */
export interface MemoryLink {
  readonly data: MemoryData;
  readonly isOpen: boolean;
  use<T>(work: () => T): Promise<T>;
  /** For work that stores more. */
  grow<T>(work: () => T): Promise<T>;
  close(): void;
}

/** `mostBytes`: when so much is stored, nothing is added. */
export function openMemory(data: MemoryData, mostBytes: number): MemoryLink {
  let isOpen = true;
  const use: MemoryLink["use"] = async (work) => {
    if (!isOpen) throw retryable("state-unreachable", "the state in memory was closed: connect again");
    return work();
  };
  return {
    data,
    get isOpen() {
      return isOpen;
    },
    use,
    grow: (work) =>
      use(() => {
        if (data.bytes() < mostBytes) return work();
        const full = `the state in memory is full: it holds ${data.bytes()} bytes, at most ${mostBytes}`;
        throw retryable("state-unreachable", `${full}; use Redis, or a larger mostBytes`);
      }),
    close: () => {
      isOpen = false;
    },
  };
}
