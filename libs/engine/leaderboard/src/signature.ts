import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from "node:crypto";
import { terminal } from "@microremed/core";

/** A new Ed25519 key pair: the private key as PEM (PKCS #8), the public one as `publicKey` of a submission. */
export function newKeyPair(): { readonly privatePem: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    privatePem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKey: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
  };
}

/** The public key of a private one. Throws `invalid-request` when the text is no Ed25519 key. */
export function publicKeyOf(privatePem: string): string {
  return createPublicKey(privateKeyOf(privatePem)).export({ type: "spki", format: "der" }).toString("base64");
}

/** Ed25519 signature of the bytes, base64. Throws `invalid-request` when the text is no Ed25519 key. */
export function signBytes(bytes: Uint8Array, privatePem: string): string {
  return sign(null, bytes, privateKeyOf(privatePem)).toString("base64");
}

/** Whether the signature of the bytes is of that key. A key or signature of another form is not. */
export function isSignedBy(bytes: Uint8Array, signature: string, publicKey: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), type: "spki", format: "der" });
    return key.asymmetricKeyType === "ed25519" && verify(null, bytes, key, Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}

/** A short name of a key, for people: the first 16 hex digits of its SHA-256. */
export function fingerprintOf(publicKey: string): string {
  return digestOf(Buffer.from(publicKey, "base64")).slice(0, 16);
}

/** SHA-256, hex. */
export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function privateKeyOf(pem: string) {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // Said below.
  }
  throw terminal(
    "invalid-request",
    "the key is no private Ed25519 key in PEM; `microremed leaderboard keys` makes one",
  );
}
