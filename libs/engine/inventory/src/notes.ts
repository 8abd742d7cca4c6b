/**
 * Characters of the notes, with their names, that a right repair may leave on one object. All annotations of an object
 * have 256 KiB, and a client-side apply needs some of it.
 */
const mostNoted = 4096;

/** Whether annotations take little of the room that an object has for them. */
export const isLittle = (notes: readonly { readonly name: string; readonly value: string }[]): boolean =>
  notes.reduce((sum, { name, value }) => sum + name.length + value.length, 0) <= mostNoted;
