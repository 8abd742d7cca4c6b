import { mkdir, writeFile } from "node:fs/promises";
import { messageReference } from "./message-reference.ts";
import { permissionsReference } from "./permissions-reference.ts";

await mkdir("docs/reference", { recursive: true });
await writeFile("docs/reference/messages.md", messageReference());
await writeFile("docs/reference/permissions.md", permissionsReference());
