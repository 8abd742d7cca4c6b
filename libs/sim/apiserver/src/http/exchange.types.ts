import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";

/** A request that was made in this process: it has no connection, and its body is complete. */
export interface LocalRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly socket?: undefined;
}

/** What the API server answers, wherever it comes from. */
export type ApiRequest = IncomingMessage | LocalRequest;

/** As much of a response as the API server uses; node's is one. */
export interface ApiResponse {
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  /** Bytes that the client has not taken yet. */
  readonly writableLength: number;
  writeHead(status: number, headers?: OutgoingHttpHeaders): unknown;
  appendHeader(name: string, value: string): unknown;
  flushHeaders(): void;
  write(chunk: string | Uint8Array): boolean;
  end(chunk?: string | Uint8Array): unknown;
  /** Ends with the value of a JSON body; only a reader in this process can take one. */
  endWith?(value: unknown): void;
  destroy(): unknown;
  on(event: "close" | "drain", listener: () => void): this;
  once(event: "close" | "drain", listener: () => void): this;
  off(event: "close" | "drain", listener: () => void): this;
}
