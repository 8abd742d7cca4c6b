import type { KubeObject } from "@microremed/cluster";
import { oncePerFrozen } from "@microremed/core";
import { dataOf } from "./starting/sources.ts";

/** Whether a text holds what only Secrets may hold. */
export type Exposes = (text: string) => boolean;

/** Shorter values are words that a text may have by chance. */
const shortestSecret = 8;
/** A signed token, such as a pod's own: three parts, of which the first two are JSON. */
const token = /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/;

/**
 * Finds values of declared Secrets, as they are or in base64, and tokens. What another declared object holds as well, such as
 * the name of a Service, is no secret.
 */
export const exposureOf = oncePerFrozen((record: readonly KubeObject[]): Exposes => {
  const open = JSON.stringify(record.filter(({ kind }) => kind !== "Secret"));
  const held = record
    .filter(({ kind }) => kind === "Secret")
    .flatMap((secret) => Object.values(dataOf(secret) ?? {}))
    .map((value) => value.trim())
    .filter((value) => value.length >= shortestSecret && !open.includes(value));
  const written = held.flatMap((value) => [value, Buffer.from(value, "latin1").toString("base64")]);
  return (text) => token.test(text) || written.some((value) => text.includes(value));
});
