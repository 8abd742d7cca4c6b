/**
 * The same entries without what every object inherits: sought by a name that an agent has chosen, such as `constructor`, a
 * plain object answers with a function.
 */
export function ownNamesOnly<T extends Readonly<Record<string, unknown>>>(entries: T): T {
  return Object.assign(Object.create(null), entries);
}
