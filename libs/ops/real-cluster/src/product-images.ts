import { type DebianImage, debianImage, type StoredImage } from "./debian-image.ts";

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

/** NATS, Redis and Python; with `baseImages` and the three that `scripts/build-images` builds, all that the product names. */
export async function productImages(say: (line: string) => void): Promise<StoredImage[]> {
  const images: StoredImage[] = [];
  for (const image of wanted) {
    say(`image ${image.name}`);
    images.push(await debianImage(image));
  }
  return images;
}
