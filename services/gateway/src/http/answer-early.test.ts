import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { answerUnread } from "./answer-early.ts";

/** What a connection gets whose request ends with this error of Node's. */
function answerTo(code: string, socket: Partial<Socket> = {}): string {
  let written = "";
  const write = (text: string): boolean => {
    written += text;
    return true;
  };
  const stub = {
    destroyed: false,
    writable: true,
    write,
    destroySoon: () => {},
    ...socket,
  } as unknown as Socket;
  answerUnread(Object.assign(new Error("parse error"), { code }), stub);
  return written;
}

test.each([
  ["ERR_HTTP_REQUEST_TIMEOUT", 408],
  ["HPE_HEADER_OVERFLOW", 431],
  ["HPE_INVALID_METHOD", 400],
])("what ends with %s is answered with %i and the body of every error", (code, status) => {
  const [head = "", body = ""] = answerTo(code).split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} [A-Z]`));
  expect(head).toContain(`content-length: ${body.length}`);
  expect(JSON.parse(body)).toEqual({ error: { code: "invalid-request", message: expect.any(String) } });
});

test("who has gone gets nothing", () => {
  expect(answerTo("ECONNRESET") + answerTo("HPE_HEADER_OVERFLOW", { writable: false })).toBe("");
});
