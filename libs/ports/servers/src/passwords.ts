import { randomBytes } from "node:crypto";
import { type User, users } from "@microremed/contracts";

/** A password per user. */
export type Passwords = Readonly<Record<User, string>>;

/** 24 random bytes. A letter first: nats-server reads a variable as a value, and `7e3...` as a number. */
export function newPassword(): string {
  return `p${randomBytes(24).toString("hex")}`;
}

/** A new password for every user of NATS and Redis. */
export function generatePasswords(): Passwords {
  const entries = users.map((user) => [user, newPassword()]);
  return Object.fromEntries(entries) as Passwords;
}
