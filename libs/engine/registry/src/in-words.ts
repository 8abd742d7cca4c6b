/** Most characters of what an entry threw that a message shows. */
const mostShown = 500;

/** The first line of what was thrown, whatever that is: code of users throws values that cannot be written as text. */
export function inWords(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
    return text.split("\n", 1).join().slice(0, mostShown);
  } catch {
    return "a thrown value that cannot be written as text";
  }
}
