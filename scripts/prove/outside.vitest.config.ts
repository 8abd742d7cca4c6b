import { sep } from "node:path";
import { defineConfig } from "vitest/config";

/** The folder of an entry outside of this repository, which has no packages of its own. */
const { ENTRY_DIR: dir } = process.env;
if (dir === undefined) throw new Error("ENTRY_DIR must be the entry's folder; `npm run prove` sets it");

const ours = /^(@microremed\/.*|zod|zod\/.*|vitest)$/;

/** Runs the tests in ENTRY_DIR with the packages of this repository. */
export default defineConfig({
  plugins: [
    {
      name: "imports-of-entries",
      enforce: "pre",
      resolveId(specifier, importer = "") {
        if (!importer.startsWith(dir + sep) || !ours.test(specifier)) return null;
        return this.resolve(specifier, import.meta.filename, { skipSelf: true });
      },
    },
  ],
  test: { name: "unit", dir, include: ["**/*.test.{ts,js}"], testTimeout: 600_000 },
});
