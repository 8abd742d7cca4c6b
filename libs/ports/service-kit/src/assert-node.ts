import { terminal } from "@microremed/core";

/** The first major version that runs TypeScript without a flag and has `await using`. */
const needed = 24;

/** Throws `missing-tool` on a Node that cannot run this product. */
export function assertNode(version: string = process.versions.node): void {
  if (Number(version.split(".")[0]) >= needed) return;
  throw terminal(
    "missing-tool",
    `Node ${version} is running, Node ${needed} or newer is needed: start with \`npm run\` or \`npx\` in the repository, which use the Node in node_modules, or install one from https://nodejs.org`,
  );
}
