import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { AppError, terminal } from "@microremed/core";

/** Who may ask what. */
export interface Access {
  /** Opens everything, what is wrong included. */
  readonly trainerToken: string;
  /** Opens episodes; undefined: they need none. */
  readonly agentToken: string | undefined;
}

/** Fewest characters of a token. */
const shortest = 16;

/** Throws `invalid-config` where a token is too short, and where other machines could reach a gym without one. */
export function checkAccess(host: string, { trainerToken, agentToken }: Access): void {
  for (const [name, token] of Object.entries({
    MICROREMED_GYM_TRAINER_TOKEN: trainerToken,
    MICROREMED_GYM_TOKEN: agentToken,
  }))
    if (token !== undefined && token.length < shortest)
      throw terminal(
        "invalid-config",
        `${name} has ${token.length} characters: at least ${shortest} are needed`,
      );
  if (agentToken === trainerToken)
    throw terminal(
      "invalid-config",
      "MICROREMED_GYM_TOKEN and MICROREMED_GYM_TRAINER_TOKEN are the same: the agent's opens no truth",
    );
  if (agentToken === undefined && !isLoopback(host))
    throw terminal(
      "invalid-config",
      `on ${host} other machines reach the gym: set MICROREMED_GYM_TOKEN, which clients send as a bearer token, or serve on 127.0.0.1`,
    );
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));

/** Whose request it is. Throws `unauthorized` where a token is needed and is missing or wrong. */
export function scopeOf(
  header: string | undefined,
  { trainerToken, agentToken }: Access,
): "trainer" | "agent" {
  const given = /^Bearer (.+)$/i.exec(header ?? "")?.[1];
  if (given !== undefined && isSame(given, trainerToken)) return "trainer";
  if (agentToken === undefined && given === undefined) return "agent";
  if (agentToken !== undefined && given !== undefined && isSame(given, agentToken)) return "agent";
  throw new AppError(
    "unauthorized",
    "the bearer token is missing or wrong: send `Authorization: Bearer <token>` with the gym's token",
    {
      details: { status: 401 },
    },
  );
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
