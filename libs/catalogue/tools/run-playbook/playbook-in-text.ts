const fence = /```[ \t]*(?:ya?ml)?[ \t]*\r?\n([\s\S]*?)```/gi;
const play = /^\s*(?:-\s+)?hosts\s*:/m;

/** The last fenced block of a text that holds a play, for models that answer in prose. */
export function playbookInText(text: string): string | undefined {
  const blocks = [...text.matchAll(fence)].map((match) => match[1] ?? "");
  return blocks.filter((block) => play.test(block)).at(-1);
}
