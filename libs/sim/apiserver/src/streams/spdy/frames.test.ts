import { constants, createDeflate } from "node:zlib";
import fc from "fast-check";
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
  const cuts = fc.array(fc.nat(bytes.length), { maxLength: 8 });
  fc.assert(
    fc.property(cuts, (places) => {
      const read = createFrameReader();
      const sorted = [0, ...places.sort((a, b) => a - b), bytes.length];
      const pieces = sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
      expect(pieces.flatMap((piece) => read(piece))).toEqual(expected);
    }),
  );
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
