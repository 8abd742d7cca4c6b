/** Vitest started past npm runs on the machine's own Node: fail at once instead of in some odd place later. */
const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  throw new Error(
    `Node ${process.versions.node} runs the tests, Node 24 or newer is needed: start them with \`npm test\` or \`npx vitest\`, which use the Node in node_modules.`,
  );
}
