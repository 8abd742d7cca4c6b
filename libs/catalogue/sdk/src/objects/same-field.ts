/** A field's path without the names of list items: `spec.template.spec.containers[].env[].value`. */
export const fieldPattern = (path: string): string => path.replaceAll(/\[[^\]]*\]/g, "[]");

/**
 * Whether who sees one field changed sees the other one changed too: they are the same, or one is a part of the other. A part of
 * an item is not the item: a container's image is another thing than a container that was added.
 */
export function isSameField(one: string, other: string): boolean {
  const [a, b] = [fieldPattern(one), fieldPattern(other)];
  return a === b || isPart(a, b) || isPart(b, a);
}

const isPart = (path: string, of: string): boolean =>
  of !== "" && !of.endsWith("[]") && (path.startsWith(`${of}.`) || path.startsWith(`${of}[`));
