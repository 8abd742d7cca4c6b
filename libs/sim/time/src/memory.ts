/** What of a world can change, so that the world can be put back to an earlier moment. */
export interface Memory {
  /**
   * Makes the contents of an object, array, Map or Set part of every later `save`, one level deep: what it holds is
   * either immutable or kept itself. Gives it back. It is forgotten when no other reference to it remains.
   */
  keep<T extends object>(state: T): T;
  /** Notes the present contents of everything kept. The result puts them back into the same objects, any number of times. */
  save(): () => void;
}

type Contents = readonly (readonly [string, unknown])[] | readonly unknown[];

/** Below this many references the dead ones are not removed. */
const fewReferences = 20_000;

/**
 * Things go back in place, because the tasks of the event loop hold on to them: what was made since the save is no
 * longer reachable from anything that was put back, and what has vanished since is still held by the save.
 */
export function createMemory(): Memory {
  let kept: WeakRef<object>[] = [];
  let sweepAt = fewReferences;

  function sweep(): void {
    kept = kept.filter((reference) => reference.deref() !== undefined);
    sweepAt = Math.max(fewReferences, 2 * kept.length);
  }

  return {
    keep(state) {
      if (kept.length >= sweepAt) sweep();
      kept.push(new WeakRef(state));
      return state;
    },
    save() {
      sweep();
      const saved: (readonly [object, Contents])[] = [];
      for (const reference of kept) {
        const state = reference.deref();
        if (state) saved.push([state, contentsOf(state)]);
      }
      return () => {
        for (const [state, contents] of saved) putBack(state, contents);
      };
    },
  };
}

function contentsOf(state: object): Contents {
  if (Array.isArray(state) || state instanceof Map || state instanceof Set) return [...state];
  return Object.entries(state);
}

function putBack(state: object, contents: Contents): void {
  if (Array.isArray(state)) {
    state.length = 0;
    for (const item of contents) state.push(item);
  } else if (state instanceof Set) {
    state.clear();
    for (const item of contents) state.add(item);
  } else if (state instanceof Map) {
    state.clear();
    for (const [key, value] of contents as readonly (readonly [unknown, unknown])[]) state.set(key, value);
  } else putBackFields(state, contents as readonly (readonly [string, unknown])[]);
}

function putBackFields(state: object, fields: readonly (readonly [string, unknown])[]): void {
  if (Object.keys(state).length !== fields.length) {
    const names = new Set(fields.map(([name]) => name));
    for (const name of Object.keys(state)) if (!names.has(name)) Reflect.deleteProperty(state, name);
  }
  for (const [name, value] of fields) Reflect.set(state, name, value);
}
