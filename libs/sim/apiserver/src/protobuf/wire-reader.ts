import { badRequest } from "@microremed/sim-objects";

/** One field as encoded on the wire: a number for varints, bytes for everything with a length. */
export interface RawField {
  readonly number: number;
  readonly value: bigint | Buffer;
}

/** Reads the fields of one protobuf message. Throws 400 when the bytes end too early or use an unknown wire type. */
export function* readFields(bytes: Buffer): Generator<RawField> {
  let at = 0;
  const varint = (): bigint => {
    let result = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) break;
      result |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asIntN(64, result);
    }
    throw badRequest("the protobuf body is cut off");
  };
  const take = (length: number): Buffer => {
    if (length < 0 || at + length > bytes.length) throw badRequest("the protobuf body is cut off");
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    const wireType = tag & 7;
    if (wireType === 0) yield { number, value: varint() };
    else if (wireType === 2) yield { number, value: take(Number(varint())) };
    else if (wireType === 1) take(8);
    else if (wireType === 5) take(4);
    else throw badRequest(`the protobuf body has an unknown wire type ${wireType}`);
  }
}
