import { readdirSync, readFileSync } from "node:fs";
import { attemptsOf, type EpisodeDocument, StoredEpisodeDocument } from "@microremed/contracts";
import { builtInCatalogue } from "@microremed/registry";
import { toolSpecs } from "@microremed/solving";
import { expect, test } from "vitest";
import { divergencesOf } from "./divergences.ts";
import { exportFormats } from "./formats/registry.ts";
import { renderStoryText } from "./render-story-text.ts";
import { storyOf } from "./story.ts";

const known = toolSpecs((await builtInCatalogue()).tools);
const folder = new URL("./testdata/v0.1.0/", import.meta.url);
const documents = readdirSync(folder).map((name): [string, EpisodeDocument] => [
  name.replace(".json", ""),
  StoredEpisodeDocument.parse(JSON.parse(readFileSync(new URL(name, folder), "utf8"))),
]);

test.each(documents)("a document that 0.1.0 saved (%s) is shown and exported", (_name, document) => {
  const text = renderStoryText(storyOf(document));
  expect(text).toContain(document.outcome);
  expect(text).toContain(attemptsOf(document)[0]?.playbook?.split("\n")[1]);
  expect(text).toMatch(/stages, wall clock[\s\S]*prepare[\s\S]*solve[\s\S]*act[\s\S]*grade[\s\S]*restore/);
  for (const format of exportFormats) expect(format.write([document], known).length).toBeGreaterThan(100);
  expect(divergencesOf(document, document)).toEqual([]);
});

test("its times are what they were", () => {
  const [, document] = documents.find(([name]) => name === "not-remediated") ?? [];
  const written = exportFormats.find(({ name }) => name === "csv")?.write(document ? [document] : [], known);
  const [head = "", row = ""] = String(written).split("\n");
  const at = head.split(",").indexOf("remediation_seconds");
  expect(Number(row.split(",").at(at - head.split(",").length))).toBeGreaterThan(0);
  expect(document?.metadata["attempts"]).toBe(2);
});
