export { dataCard } from "./data-card.ts";
export { type Divergence, divergencesOf } from "./divergences.ts";
export { episodeDocument } from "./episode-document.ts";
export type { ExportFormat } from "./formats/format.ts";
export { exportFormats } from "./formats/registry.ts";
export { renderStoryHtml } from "./render-story-html.ts";
export { renderStoryText } from "./render-story-text.ts";
export { storyOf } from "./story.ts";
