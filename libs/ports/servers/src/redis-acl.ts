import { createHash } from "node:crypto";
import { permissions, type User, users } from "@microremed/contracts";

/** The default prefix of every key. */
const defaultPrefix = "microremed:";

/**
 * Off, so that no client can log in as it; but with all rights, because as this user Redis replays its append-only file: without them it
 * would leave out every transaction and script, and go on without a word to its clients.
 */
const defaultUser = "user default off resetpass ~* &* +@all";

/**
 * The users as lines of an ACL file or a redis.conf. It holds no password, only their SHA-256. No client can connect without a
 * name: Redis' user `default` is off.
 */
export function redisAcl(passwordOf: (user: User) => string, prefix = defaultPrefix): string {
  const lines = users.flatMap((user) => {
    const { redis } = permissions[user];
    if (!redis) return [];
    const keys = [
      ...redis.readWrite.map((pattern) => (pattern === "*" ? "~*" : `~${prefix}${pattern}`)),
      ...redis.read.map((pattern) => `%R~${prefix}${pattern}`),
    ];
    const password = createHash("sha256").update(passwordOf(user)).digest("hex");
    return [`user ${user} on #${password} resetchannels ${keys.join(" ")} -@all ${redis.commands.join(" ")}`];
  });
  return `${[defaultUser, ...lines].join("\n")}\n`;
}
