const fence = /```[ \t]*(?:ya?ml)?[ \t]*\r?\n([\s\S]*?)```/gi;
const play = /^\s*(?:-\s+)?hosts\s*:/m;

/** The last fenced block of a text that holds a play, for models that answer in prose. */
export function playbookInText(text: string): string | undefined {
  const blocks = [...text.matchAll(fence)].map((match) => match[1] ?? "");
  return blocks.filter((block) => play.test(block)).at(-1);
}

/** A text without the fence that models like to put around YAML. */
export function fencedContent(text: string): string {
  if (!text.trimStart().startsWith("```")) return text;
  return [...text.matchAll(fence)][0]?.[1] ?? text;
}
