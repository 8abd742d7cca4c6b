// Old versions of Node must be able to read this file, too.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const needed = 24;

/** Whether this Node can run the command. */
export const isNewEnough = Number(process.versions.node.split(".")[0]) >= needed;

/** Where npm puts Node 24: an optional dependency of the published package, or a dependency of the repository. */
const packages = [
  `node-${process.platform}-${process.arch}`,
  `node-bin-${process.platform}-${process.arch}`,
  "node",
];

/** Runs the script with the Node 24 that was installed beside it; where there is none, says what to do and ends. */
export function runWithNewerNode(script, args) {
  const program = findNode();
  if (program === undefined) {
    console.error(
      `microremed needs Node ${needed} or newer and was started with ${process.versions.node}.\n` +
        `Node ${needed} was not installed with it: install it (https://nodejs.org), or this package again without --omit=optional.\n` +
        "In the repository `npx microremed ...` uses the right one after `npm run setup`.",
    );
    process.exit(1);
  }
  const child = spawn(program, [script, ...args], { stdio: "inherit" });
  // A terminal's Ctrl-C reaches the child by itself; it ignores the second.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => child.kill(name));
  child.on("error", (error) => {
    console.error(`${program} cannot be started: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function findNode() {
  const require = createRequire(import.meta.url);
  for (const name of packages) {
    try {
      const manifest = require.resolve(`${name}/package.json`);
      return join(dirname(manifest), require(manifest).bin.node);
    } catch (error) {
      if (error.code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  return undefined;
}
