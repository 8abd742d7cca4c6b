import { readFileSync } from "node:fs";

const manifest: { readonly version: string } = JSON.parse(
  readFileSync(new URL("../../../package.json", import.meta.url), "utf8"),
);

/** MicroRemed's own version: what a number was measured with is part of it. */
export const harnessVersion: string = manifest.version;
