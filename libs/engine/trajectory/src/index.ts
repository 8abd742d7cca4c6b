export { dataCard } from "./data-card.ts";
export { type Divergence, divergencesOf } from "./divergences.ts";
export { renderStoryHtml } from "./render-story-html.ts";
export { renderStoryText } from "./render-story-text.ts";
export { storyOf } from "./story.ts";
