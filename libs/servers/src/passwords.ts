import { randomBytes } from "node:crypto";
import { type User, users } from "@microremed/contracts";

/** A password per user. */
export type Passwords = Readonly<Record<User, string>>;

/** 24 random bytes each. */
export function generatePasswords(): Passwords {
  const entries = users.map((user) => [user, randomBytes(24).toString("base64url")]);
  return Object.fromEntries(entries) as Passwords;
}
