import { nearest, oneOf } from "@microremed/core";

/** Most known names that one message lists. */
const mostShown = 12;

/** To be read after what was expected: the wrong name, and what may have been meant, else what is known. */
export function notKnown(wrong: string, known: readonly string[]): string {
  const near = nearest(wrong, known);
  const said = `not ${JSON.stringify(wrong.slice(0, 200))}`;
  if (near.length > 0) return `${said}; did you mean ${oneOf(near)}?`;
  if (known.length === 0) return `${said}; there is none`;
  const shown = known.slice(0, mostShown).map((name) => JSON.stringify(name));
  const more = known.length > mostShown ? [`${known.length - mostShown} more`] : [];
  const last = [...shown, ...more].at(-1);
  const list = [...shown, ...more].slice(0, -1).join(", ");
  return `${said}; known: ${list === "" ? last : `${list} and ${last}`}`;
}
