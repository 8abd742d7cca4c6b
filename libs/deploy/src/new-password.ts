import { randomBytes } from "node:crypto";

/** 24 random bytes. A letter first: nats-server reads a variable as a value, and `7e3...` as a number. */
export function newPassword(): string {
  return `p${randomBytes(24).toString("hex")}`;
}
