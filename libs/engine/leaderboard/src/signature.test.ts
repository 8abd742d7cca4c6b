import { expect, test } from "vitest";
import { fingerprintOf, isSignedBy, newKeyPair, publicKeyOf, signBytes } from "./signature.ts";

const bytes = Buffer.from("what is signed");

test("a signature is of these bytes and this key alone", () => {
  const [one, other] = [newKeyPair(), newKeyPair()];
  const signature = signBytes(bytes, one.privatePem);
  expect(publicKeyOf(one.privatePem)).toBe(one.publicKey);
  expect(isSignedBy(bytes, signature, one.publicKey)).toBe(true);
  expect(isSignedBy(bytes, signature, other.publicKey)).toBe(false);
  expect(isSignedBy(Buffer.from("what is signed."), signature, one.publicKey)).toBe(false);
  expect(fingerprintOf(one.publicKey)).toMatch(/^[0-9a-f]{16}$/);
});

test.each(["", "AAAA", "not base64!"])("the key or signature %j signs nothing", (text) => {
  const { privatePem, publicKey } = newKeyPair();
  expect(isSignedBy(bytes, text, publicKey)).toBe(false);
  expect(isSignedBy(bytes, signBytes(bytes, privatePem), text)).toBe(false);
});

test("what is no private key is refused with what makes one", () => {
  expect(() => signBytes(bytes, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----")).toThrow(
    /`microremed leaderboard keys` makes one/,
  );
});
