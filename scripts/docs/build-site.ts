// npm run docs:site: builds the documentation as a site in docs/site/.vitepress/dist; fails on a dead link.
import { cp, rm } from "node:fs/promises";
import { extname, join } from "node:path";
import { execa } from "execa";
import { linkedFiles } from "./check-links.ts";
import { pages, root } from "./pages.ts";

/** Longer than any build: it ends what hangs. */
const withinMs = 15 * 60_000;
const site = join(root, "docs/site");
const all = pages();

await rm(join(site, "pages"), { recursive: true, force: true });
for (const { path } of all) await cp(join(root, path), join(site, "pages", path));
// What is linked and no page is served as it is.
const linked = linkedFiles(all);
for (const path of linked) await cp(join(root, path), join(site, "pages/public", path));

// A link to a file of an extension that VitePress does not know would be taken for a page.
const env = { VITE_EXTRA_EXTENSIONS: [...new Set(linked.map((path) => extname(path).slice(1)))].join(",") };
const run = (...args: string[]) =>
  execa("npm", args, { cwd: site, env, stdio: "inherit", timeout: withinMs });
try {
  await run("ci", "--no-audit", "--no-fund");
  await run("run", "build");
  process.stdout.write("the site is in docs/site/.vitepress/dist\n");
} catch (error) {
  // npm and the generator have printed what was wrong.
  process.stderr.write(`the site was not built: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
