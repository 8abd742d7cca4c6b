import { posix, relative, sep } from "node:path";
import type { Plugin } from "rolldown";

/** The one module that knows by its place whether it is bundled. */
const stays = "libs/core/src/bundle.ts";
const helper = "\0places-of-sources";
/** Of a CommonJS module. */
const place = "placeOfSource";
/** Anything else is CommonJS. */
const isModule = /^\s*(?:import\b\s*[\w{*"']|export\b\s*[\w{*])/m;

/**
 * `import.meta`, `__dirname` and `__filename` of a bundled module say the place of its source, from which it finds files beside
 * it and programs to start. `bundles` is the folder of the bundles, from the root.
 */
export function placesOfSources(root: string, bundles: string): Plugin {
  const up = posix.relative(`${bundles}/one`, ".");
  return {
    name: "places-of-sources",
    resolveId: (id) => (id === helper ? id : null),
    load: (id) => (id === helper ? helperCode(up) : null),
    transform: {
      filter: { code: /\bimport\.meta\b|\b__(?:dirname|filename)\b/ },
      handler(code, id) {
        const path = relative(root, id).replaceAll(sep, "/");
        if (!/^(libs|services|node_modules)\//.test(path) || path === stays) return null;
        // On the first line, so that the lines stay where they are.
        if (isModule.test(code)) {
          if (!/\bimport\.meta\b/.test(code)) return null;
          const own = `import { metaOf } from "${helper}"; const importMeta = metaOf("${path}");`;
          return `${own} ${code.replaceAll(/\bimport\.meta\b/g, "importMeta")}`;
        }
        const { dirname, filename } = { dirname: `${place}.dirname`, filename: `${place}.filename` };
        const own = `const ${place} = require("${helper}").metaOf("${path}");`;
        return `${own} ${code.replaceAll(/\b__dirname\b/g, dirname).replaceAll(/\b__filename\b/g, filename)}`;
      },
    },
  };
}

const helperCode = (up: string): string => `
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
export function metaOf(path) {
  const url = new URL("${up}/" + path, import.meta.url).href;
  const filename = fileURLToPath(url);
  return { url, filename, dirname: dirname(filename), resolve: (name) => import.meta.resolve(name) };
}
`;
