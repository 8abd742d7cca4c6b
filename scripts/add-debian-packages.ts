// Reads a CycloneDX document on stdin, adds the packages of a dpkg status file, and prints it: see scripts/sbom.
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";

interface Sbom {
  components?: { type: string; name: string; version: string; purl: string }[];
}

const sbom = JSON.parse(await text(process.stdin)) as Sbom;
const [, , status] = process.argv;
const paragraphs = status === undefined ? [] : readFileSync(status, "utf8").split("\n\n");
const debian = paragraphs.flatMap((paragraph) => {
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, "m").exec(paragraph)?.[1];
  const [name, version, arch] = [field("Package"), field("Version"), field("Architecture")];
  if (name === undefined || version === undefined || !field("Status")?.endsWith(" installed")) return [];
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${arch ?? "all"}`;
  return [{ type: "library", name, version, purl }];
});
process.stdout.write(
  `${JSON.stringify({ ...sbom, components: [...(sbom.components ?? []), ...debian] }, null, 2)}\n`,
);
