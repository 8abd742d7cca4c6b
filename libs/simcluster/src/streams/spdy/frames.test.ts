import { constants, createDeflate } from "node:zlib";
import { expect, test } from "vitest";
import { spdyDictionary } from "./dictionary.ts";
import { controlFrame, createFrameReader, dataFrame, frameTypes, numbers } from "./frames.ts";
import { createHeaderCodec } from "./header-block.ts";

test("reads frames back however the bytes are cut", () => {
  const bytes = Buffer.concat([
    controlFrame(frameTypes.ping, numbers(7), 1),
    dataFrame(3, Buffer.from("hello"), true),
  ]);
  const expected = [
    { kind: "control", type: frameTypes.ping, flags: 1, body: numbers(7) },
    { kind: "data", streamId: 3, fin: true, data: Buffer.from("hello") },
  ];
  expect(createFrameReader()(bytes)).toEqual(expected);
  const byByte = createFrameReader();
  expect([...bytes].flatMap((byte) => byByte(Buffer.from([byte])))).toEqual(expected);
});

test("refuses a frame that says it is enormous", () => {
  expect(() => createFrameReader()(Buffer.from("00000001ffffffff", "hex"))).toThrow("too large");
});

test("reads header blocks that one compression context carries", async () => {
  // Two blocks as a Go client sends them: deflated with the dictionary, flushed, in one stream.
  const deflate = createDeflate({ dictionary: spdyDictionary });
  const compress = (text: Buffer): Promise<Buffer> =>
    new Promise((resolve) => {
      deflate.write(text);
      deflate.flush(constants.Z_SYNC_FLUSH, () => resolve(deflate.read() as Buffer));
    });
  const block = (value: string) =>
    Buffer.concat([numbers(1, 10), Buffer.from("streamtype"), numbers(value.length), Buffer.from(value)]);
  const codec = createHeaderCodec();
  for (const value of ["error", "stdout"]) {
    const headers = await codec.decode(await compress(block(value)));
    expect(headers.get("streamtype")).toBe(value);
  }
  codec.close();
});
