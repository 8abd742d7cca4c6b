import type { Rng } from "@microremed/core";
import { targetOf } from "../target.ts";
import type { Draw, DrawnFor } from "./draw.ts";

/** A whole number of a range, both ends among them. */
export const between =
  (least: number, most: number): Draw<number> =>
  (rng) =>
    least + rng.int(most - least + 1);

/** Furthest that a wrong port is from the right one. */
const furthest = 99;

/**
 * A port on which no program of the target listens: near to its own, one with two digits exchanged, or one on which
 * another program of the system listens.
 */
export const wrongPort: Draw<number> = (rng, { environment, target }) => {
  const place = targetOf(environment, target);
  const listening = place?.workload.containers.flatMap(({ behaviour, ports }) => [
    ...behaviour.listens,
    ...ports.map(({ containerPort }) => containerPort),
  ]);
  const taken = new Set(listening);
  const [own = 8080] = taken;
  const near = Array.from({ length: furthest }, (_, i) => [own - i - 1, own + i + 1]).flat();
  const far = Object.values(environment.workloads).flatMap(({ containers }) =>
    containers.flatMap(({ behaviour }) => behaviour.listens),
  );
  const text = String(own);
  const turned = [...text].slice(1).map((_, i) => Number(exchanged(text, i)));
  const fits = (port: number): boolean => port > 0 && port <= 65_535 && !taken.has(port);
  // One of each family as often as another: that next door is the larger one.
  const families = [near, [...far, ...turned], near].map((all) => all.filter(fits));
  return rng.pick(rng.pick(families.filter((all) => all.length > 0)));
};

const exchanged = (text: string, at: number): string =>
  `${text.slice(0, at)}${text.charAt(at + 1)}${text.charAt(at)}${text.slice(at + 2)}`;

const digits = "0123456789";
const letters = "abcdefghijklmnopqrstuvwxyz";

/** So many characters of an alphabet. */
export const characters = (rng: Rng, length: number, of: string): string =>
  Array.from({ length }, () => of.charAt(rng.int(of.length))).join("");

/** A password of letters and at least one digit. */
export const drawnPassword: Draw<string> = (rng) =>
  characters(rng, 4 + rng.int(4), letters + letters.toUpperCase()) +
  characters(rng, 1, digits) +
  characters(rng, 4 + rng.int(4), letters + letters.toUpperCase() + digits);

/** The beginning of a commit's name, as builds have it in their tags. */
export const drawnCommit = (rng: Rng): string => characters(rng, 7, `${digits}abcdef`);

/** An address of a private network in which no pod, Service or node is. */
export const strangeAddress: Draw<string> = (rng) => {
  const last = 1 + rng.int(253);
  return rng.int(2) === 0
    ? `172.${20 + rng.int(12)}.${rng.int(256)}.${last}`
    : `192.168.${rng.int(256)}.${last}`;
};

/** What is behind the name of an image with such a tag: a version that might be next, or a build of it. */
export function otherTag(tag: string, rng: Rng): string {
  const numbers = /^(.*?)(\d+)(\D*)$/.exec(tag);
  const next = numbers ? `${numbers[1]}${Number(numbers[2]) + 1 + rng.int(9)}${numbers[3]}` : undefined;
  const build = rng.pick([
    drawnCommit(rng),
    `build.${100 + rng.int(900)}`,
    `2026${String(1 + rng.int(12)).padStart(2, "0")}${String(1 + rng.int(28)).padStart(2, "0")}`,
    `p${1 + rng.int(60)}`,
  ]);
  return rng.int(3) === 0 && next !== undefined ? `${next}.${1 + rng.int(20)}` : `${next ?? tag}-${build}`;
}

/** Whether a text is written anywhere in what an environment declares: then it is nothing new. */
export const isDeclared = ({ environment }: DrawnFor, text: string): boolean =>
  JSON.stringify([environment.manifests, environment.made]).includes(text);
