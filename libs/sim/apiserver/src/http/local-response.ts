import { EventEmitter } from "node:events";
import type { ApiResponse } from "./exchange.types.ts";

/** A status and a body, JSON as a rule. */
export interface LocalAnswer {
  readonly status: number;
  readonly body: string;
  /** Where a value was wanted: what the body, which is empty then, would say. Frozen. */
  readonly value?: unknown;
}

export interface LocalResponse {
  readonly response: ApiResponse;
  /** Resolves when the answer has ended, or its reader has gone. */
  readonly ended: Promise<LocalAnswer>;
}

/**
 * A response that is read in this process: a 2xx's body goes to `onChunk` as it comes, if there is one, and is kept
 * otherwise. The reader takes every chunk at once, so nothing piles up.
 * With `asValue` an answer about objects is given as the value of its JSON.
 */
export function createLocalResponse(
  onChunk: ((chunk: string) => void) | undefined,
  asValue = false,
): LocalResponse {
  const { promise: ended, resolve } = Promise.withResolvers<LocalAnswer>();
  const events = new EventEmitter();
  const chunks: string[] = [];
  const state = { status: 200, headersSent: false, destroyed: false };
  const finish = (answered?: Pick<LocalAnswer, "value">): void => {
    if (state.destroyed) return;
    state.destroyed = true;
    resolve({ status: state.status, body: chunks.join(""), ...answered });
    events.emit("close");
  };
  const response: ApiResponse = {
    get headersSent() {
      return state.headersSent;
    },
    get destroyed() {
      return state.destroyed;
    },
    writableLength: 0,
    writeHead(status) {
      state.status = status;
      state.headersSent = true;
    },
    appendHeader() {},
    flushHeaders() {},
    write(chunk) {
      if (state.destroyed) return true;
      const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
      if (onChunk && state.status < 300) onChunk(text);
      else chunks.push(text);
      return true;
    },
    end(chunk) {
      if (chunk !== undefined) response.write(chunk);
      finish();
    },
    ...(asValue && { endWith: (value: unknown) => finish({ value }) }),
    destroy: () => finish(),
    on(event, listener) {
      events.on(event, listener);
      return this;
    },
    once(event, listener) {
      events.once(event, listener);
      return this;
    },
    off(event, listener) {
      events.off(event, listener);
      return this;
    },
  };
  return { response, ended };
}
