import { createHash, randomBytes } from "node:crypto";
import { TokenId } from "@microremed/contracts";

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
const idLength = 10;
/** 32 random bytes: too many to try, so a plain hash is enough. */
const secretBytes = 32;
const text = /^mr_([a-z0-9]{10})_([A-Za-z0-9_-]{43})$/;

/** A new token: the text for its holder, and what is stored of it. */
export interface NewToken {
  readonly id: string;
  /** `mr_<id>_<secret>`. It is shown once and stored nowhere. */
  readonly text: string;
  readonly secretHash: string;
}

/** Makes a token of random numbers. */
export function newToken(): NewToken {
  const id = [...randomBytes(idLength)].map((byte) => alphabet[byte % alphabet.length]).join("");
  const secret = randomBytes(secretBytes).toString("base64url");
  return { id: TokenId.parse(id), text: `mr_${id}_${secret}`, secretHash: sha256(secret) };
}

/** The id of a token and the hash of its secret; undefined: the text is no token. */
export function readToken(given: string): { readonly id: string; readonly secretHash: string } | undefined {
  const [, id, secret] = text.exec(given) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secretHash: sha256(secret) };
}

function sha256(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}
