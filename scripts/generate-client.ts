// npm run client:generate: makes the types of clients/typescript from the gateway's OpenAPI document.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { clientTypes, digestOfDocument, openApiDocument } from "./openapi.ts";

/** The generator works with an older TypeScript than this repository, so it is not installed here. */
const packages = ["-p", "openapi-typescript@7.13.0", "-p", "typescript@5.9.3"];

const folder = await mkdtemp(join(tmpdir(), "microremed-openapi-"));
try {
  const [from, to] = [join(folder, "openapi.json"), join(folder, "openapi.ts")];
  const document = await openApiDocument();
  await writeFile(from, document);
  await execa(
    "npx",
    ["--yes", ...packages, "openapi-typescript", from, "-o", to, "--default-non-nullable", "false"],
    {
      stdio: ["ignore", "inherit", "inherit"],
      timeout: 5 * 60_000,
    },
  );
  await writeFile(
    clientTypes,
    `// openapi.json ${digestOfDocument(document)}\n${await readFile(to, "utf8")}`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
