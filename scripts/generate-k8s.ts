import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generatedFiles } from "../libs/ops/deploy/src/index.ts";

for (const { path, text } of generatedFiles()) await writeFile(join("k8s", path), text);
