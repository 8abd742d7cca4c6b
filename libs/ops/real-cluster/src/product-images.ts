import { buildPrograms } from "./build-programs.ts";
import { type DebianImage, debianImage, type StoredImage } from "./debian-image.ts";
import { goImage } from "./images.ts";
import { pins } from "./pins.ts";

const library = (name: string): string => `docker.io/library/${name}`;

/** What the range and simple-micro run beside our own images, under the names of their manifests: Debian's programs. */
const wanted: readonly DebianImage[] = [
  { name: library("nats:2.10.27-alpine"), packages: ["nats-server"], command: ["nats-server"] },
  {
    name: library("redis:7.2.7-alpine"),
    packages: ["redis-server", "dash", "coreutils", "sed"],
    links: { "usr/bin/sh": "dash" },
    command: ["redis-server"],
  },
  {
    name: library("python:3.9-slim"),
    packages: ["python3", "bash", "coreutils", "grep", "sed", "gzip", "tar"],
    links: { "usr/bin/sh": "bash", "usr/bin/python": "python3" },
    command: ["python3"],
  },
];

/** NATS, Redis, Python and k6, which `microremed load` runs; with `baseImages` and the three that `scripts/build-images` builds, all that the product names. */
export async function productImages(say: (line: string) => void): Promise<StoredImage[]> {
  const images: StoredImage[] = [];
  const k6 = goImage(
    `docker.io/grafana/k6:${pins.k6.version.slice(1)}`,
    await buildPrograms({ name: "k6", ...pins.k6 }, say),
    "k6",
  );
  for (const image of [...wanted, k6]) {
    say(`image ${image.name}`);
    images.push(await debianImage(image));
  }
  return images;
}
