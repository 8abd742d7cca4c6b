import { StatusError } from "@microremed/sim-objects";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBody, isProtobuf } from "./decode-body.ts";

const field = (number: number, content: string | Buffer): Buffer => {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
};
const message = (...fields: Buffer[]): Buffer => Buffer.concat(fields);
const entry = (key: string, value: string): Buffer => message(field(1, key), field(2, value));
const body = (apiVersion: string, kind: string, raw: Buffer): Buffer =>
  message(Buffer.from("k8s\0"), field(1, message(field(1, apiVersion), field(2, kind))), field(2, raw));

test("reads a secret: maps of bytes become base64, empty fields vanish", () => {
  const metadata = message(field(1, "s"), field(3, "shop"), field(7, ""), field(11, entry("app", "web")));
  const bytes = body("v1", "Secret", message(field(1, metadata), field(2, entry("a", "b")), field(3, "")));
  expect(isProtobuf(bytes)).toBe(true);
  expect(decodeBody(bytes)).toEqual({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "s", namespace: "shop", labels: { app: "web" } },
    data: { a: "Yg==" },
  });
});

test("refuses a cut off body and kinds that it does not know", () => {
  const whole = body("v1", "ConfigMap", field(1, field(1, "c")));
  expect(() => decodeBody(whole.subarray(0, -1))).toThrow("cut off");
  expect(() => decodeBody(body("v1", "Node", Buffer.alloc(0)))).toThrow(
    "protobuf bodies of v1 Node are not read",
  );
});

test("answers any bytes with an object or a StatusError", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        decodeBody(body("apps/v1", "Deployment", Buffer.from(bytes.subarray(0, 100))));
        decodeBody(Buffer.concat([Buffer.from("k8s\0"), bytes]));
      } catch (error) {
        expect(error).toBeInstanceOf(StatusError);
      }
    }),
  );
});
