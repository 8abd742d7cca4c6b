import { EventEmitter } from "node:events";
import type { ApiResponse } from "./exchange.types.ts";

export interface LocalResponse {
  readonly response: ApiResponse;
  /** Resolves when the answer has ended, or its reader has gone. */
  readonly ended: Promise<{ readonly status: number; readonly body: string }>;
}

/**
 * A response that is read in this process: a 2xx's body goes to `onChunk` as it comes, if there is one, and is kept
 * otherwise. The reader takes every chunk at once, so nothing piles up.
 */
export function createLocalResponse(onChunk: ((chunk: string) => void) | undefined): LocalResponse {
  const { promise: ended, resolve } = Promise.withResolvers<{ status: number; body: string }>();
  const events = new EventEmitter();
  const chunks: string[] = [];
  const state = { status: 200, headersSent: false, destroyed: false };
  const finish = (): void => {
    if (state.destroyed) return;
    state.destroyed = true;
    resolve({ status: state.status, body: chunks.join("") });
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
    destroy: finish,
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
