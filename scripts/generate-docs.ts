import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { messageIndex } from "./message-index.ts";

// First, for what follows reads the messages through it.
await writeFile("libs/contracts/src/messages/index.ts", messageIndex());
const { messageReference } = await import("./message-reference.ts");
const { messageSchemas } = await import("./message-schemas.ts");
const { packageReadmes } = await import("./package-readmes.ts");
const { permissionsReference } = await import("./permissions-reference.ts");

const { embeddedClusterPage } = await import("./agreement.ts");
const { catalogueReference } = await import("./catalogue-reference.ts");
const { cliReference } = await import("./cli-reference.ts");
const { configurationReference } = await import("./configuration-reference.ts");
const { problemsReference } = await import("./problems-reference.ts");
const { tasksReference } = await import("./tasks-reference.ts");
const { toolsReference } = await import("./tools-reference.ts");
const { errorReference } = await import("./error-reference.ts");

for (const [path, text] of packageReadmes()) await writeFile(path, text);

const embedded = embeddedClusterPage();
await writeFile(embedded.path, embedded.text);

await mkdir("docs/reference", { recursive: true });
await writeFile("docs/reference/catalogue.md", await catalogueReference());
await writeFile("docs/reference/cli.md", await cliReference());
await writeFile("docs/reference/configuration.md", configurationReference());
await writeFile("docs/reference/errors.md", errorReference());
await writeFile("docs/reference/messages.md", messageReference());
await writeFile("docs/reference/problems.md", await problemsReference());
await writeFile("docs/reference/tasks.md", await tasksReference());
await writeFile("docs/reference/tools.md", await toolsReference());
await writeFile("docs/reference/permissions.md", permissionsReference());

const schemas = messageSchemas();
const folder = "libs/contracts/schemas";
await mkdir(folder, { recursive: true });
for (const name of await readdir(folder)) if (schemas[name] === undefined) await rm(`${folder}/${name}`);
for (const [name, text] of Object.entries(schemas)) await writeFile(`${folder}/${name}`, text);
