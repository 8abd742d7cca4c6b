import type { Rng } from "@microremed/core";
import { targetName } from "../target.ts";
import type { Draw, DrawnFor } from "./draw.ts";
import { characters } from "./values.ts";

/** What teams call things by, whatever they are. */
const words = (
  "alpha apps atlas backend base batch beta blue bulk cache canary central cloud cold common core data default east edge " +
  "elastic external fast frontline gen2 global gold green grid hot infra internal jobs lab legacy local main managed meta " +
  "micro mid mobile next north ops orbit pilot platform pool prime primary private prod public rapid raw ready region relay " +
  "remote replica retail router runtime safe secondary secure shared silver site south spare spot stable stack staging " +
  "standby static storage stream sync system team temp tenant tier1 tier2 trunk turbo upper urban vault wave west work zone"
).split(" ");

/** A word that teams use in names. */
export const drawnWord = (rng: Rng): string => rng.pick(words);

/** A word of the name of the workload or of the system. */
export function ownWord(rng: Rng, { environment, target }: DrawnFor): string {
  const name = targetName({ environment, target });
  return rng.pick([...name.split(/[^a-z0-9]+/), ...environment.name.split("-")].filter(isWord));
}

const isWord = (text: string): boolean => /^[a-z][a-z0-9]+$/.test(text);

/** So that some names have a number, as after a migration. */
const drawnNumber = (rng: Rng): string =>
  rng.int(3) === 0 ? rng.pick(["-v", "-", ""]) + (2 + rng.int(28)) : "";

/**
 * A name such as teams give: of a word of the system's own, one that any team uses, and one of `kinds` that says what it is. There
 * are thousands for each workload.
 */
export const drawnName =
  (...kinds: readonly string[]): Draw<string> =>
  (rng, where) => {
    const [own, any, kind] = [ownWord(rng, where), drawnWord(rng), rng.pick(kinds)];
    const parts = rng.pick([
      [own, any, kind],
      [any, own, kind],
      [own, kind, any],
      [any, drawnWord(rng), kind],
    ]);
    return parts.join("-") + drawnNumber(rng);
  };

/** A name as if mistyped: two letters changed places, or one is missing, twice there, or its neighbour. */
export function mistyped(name: string, rng: Rng): string {
  const places = [...name].flatMap((letter, at) => (at > 0 && /[a-z]/.test(letter) ? [at] : []));
  const at = rng.pick(places.length > 0 ? places : [0]);
  const [before, letter, after] = [name.slice(0, at), name.charAt(at), name.slice(at + 1)];
  const other = "abcdefghijklmnopqrstuvwxyz".replace(letter.toLowerCase(), "");
  const all = [
    `${before}${after}`,
    `${before}${letter}${letter}${after}`,
    `${before}${other.charAt(rng.int(other.length))}${after}`,
    `${before.slice(0, -1)}${letter}${before.slice(-1)}${after}`,
  ].filter((one) => one !== name && /^[a-zA-Z_]([a-zA-Z0-9_-]*[a-zA-Z0-9])?$/.test(one));
  return all.length > 0 ? rng.pick(all) : `${name}x`;
}

/** A path that a probe might ask for, which no program of an environment serves. */
export const drawnPath: Draw<string> = (rng, where) => {
  const [own, any] = [ownWord(rng, where), drawnWord(rng)];
  const asked = rng.pick([
    "health",
    "healthz",
    "ready",
    "readyz",
    "live",
    "status",
    "ping",
    "check",
    "alive",
  ]);
  return rng.pick([
    `/${own}/${asked}`,
    `/${any}/${asked}`,
    `/${asked}/${any}`,
    `/${asked}-${any}`,
    `/api/${own}/${asked}/${any}`,
  ]);
};

/** A file that a container might start, which its image does not have. */
export const drawnProgram: Draw<string> = (rng, where) => {
  const [own, any] = [ownWord(rng, where), drawnWord(rng)];
  const folder = rng.pick(["/opt", "/srv", "/usr/local/bin", "/app", "/opt/app", "/usr/libexec"]);
  const file = rng.pick([`${own}-${any}`, `${any}-${own}`, `${own}/${any}`, `${any}/run-${own}`]);
  return `${folder}/${file}${rng.pick(["", ".sh", ".bin", "d"])}`;
};

/** The name of a variable of a program. */
export const drawnVariable = (rng: Rng): string =>
  [drawnWord(rng), rng.pick([drawnWord(rng), "mode", "level", "track", "label", "group", "channel"])]
    .join("_")
    .toUpperCase();

/** A value such as many variables have: a word, a name, a number, a commit. */
export const drawnValue: Draw<string> = (rng, where) =>
  rng.pick([
    drawnWord(rng),
    `${ownWord(rng, where)}-${drawnWord(rng)}`,
    String(1 + rng.int(9_999)),
    characters(rng, 7, "0123456789abcdef"),
  ]);

/** The same without a word of the system's own: what is behind the name of a workload. */
export const drawnEnding =
  (...kinds: readonly string[]): Draw<string> =>
  (rng) =>
    `${drawnWord(rng)}-${rng.pick(kinds)}${drawnNumber(rng)}`;
