import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../libs/contracts/src/messages/", import.meta.url));
/** Files of the folder that are no messages. */
const machinery = ["index.ts", "catalog.ts", "define-message.ts"];

/** The index of the messages' folder: adding a message is adding its file. */
export function messageIndex(): string {
  const files = readdirSync(folder)
    .filter((name) => !machinery.includes(name) && !name.endsWith(".test.ts"))
    .sort();
  return [
    "// Made from the files beside it by `npm run docs:generate`; do not edit.",
    ...files.map((name) => `export * from "./${name}";`),
    "",
  ].join("\n");
}
