import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("./v0.1.0/", import.meta.url);

/** Records of open episodes as MicroRemed 0.1.0 stored them, by `<its state>-<its attempts>`; made by a range of 0.1.0. */
export function oldEpisodes(): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [
      name.replace(".json", ""),
      JSON.parse(readFileSync(new URL(name, folder), "utf8")),
    ]),
  );
}
