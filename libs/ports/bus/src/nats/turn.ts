/**
 * Returns at the end of the current turn of the event loop, to all who asked during it at once: what they send then
 * leaves in one write instead of one each.
 */
export function createTurn(): () => Promise<void> {
  let current: Promise<void> | undefined;
  return () => {
    current ??= new Promise((resolve) => {
      setImmediate(() => {
        current = undefined;
        resolve();
      });
    });
    return current;
  };
}
