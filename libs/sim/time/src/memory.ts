/** What of a world can change, so that the world can be put back to an earlier moment. */
export interface Memory {
  /**
   * Makes the contents of an object, array, Map or Set part of every later `save`, one level deep: what it holds is
   * either immutable or kept itself. Gives it back. It is forgotten when no other reference to it remains.
   */
  keep<T extends object>(state: T): T;
  /**
   * Notes the present contents of everything kept. The result puts them back into the same objects, any number of times, and
   * forgets what was kept later.
   */
  save(): () => void;
}

/** A copy one level deep: of an object its own enumerable fields. */
type Contents = readonly unknown[] | ReadonlySet<unknown> | ReadonlyMap<unknown, unknown> | object;

/** Below this many references the dead ones are not removed. */
const fewReferences = 20_000;

/**
 * Things go back in place, because the tasks of the event loop hold on to them: what was made since the save is no
 * longer reachable from anything that was put back, and what has vanished since is still held by the save.
 */
export function createMemory(): Memory {
  let kept: WeakRef<object>[] = [];
  let sweepAt = fewReferences;

  /** Removes the references to what is gone, and gives what is there. */
  function sweep(): object[] {
    const there: object[] = [];
    let count = 0;
    for (const reference of kept) {
      const state = reference.deref();
      if (state === undefined) continue;
      there.push(state);
      kept[count++] = reference;
    }
    kept.length = count;
    sweepAt = Math.max(fewReferences, 2 * count);
    return there;
  }

  return {
    keep(state) {
      if (kept.length >= sweepAt) sweep();
      kept.push(new WeakRef(state));
      return state;
    },
    save() {
      const states = sweep();
      const references = kept.slice();
      const saved = states.map(contentsOf);
      return () => {
        // What came later is garbage, which may not be collected for long: without it a save costs what the world holds.
        kept = references.slice();
        for (const [place, state] of states.entries()) putBack(state, saved[place] as Contents);
      };
    },
  };
}

function contentsOf(state: object): Contents {
  if (Array.isArray(state)) return state.slice();
  if (state instanceof Map) return new Map(state);
  if (state instanceof Set) return new Set(state);
  return { ...state };
}

function putBack(state: object, contents: Contents): void {
  if (Array.isArray(state)) {
    state.length = 0;
    for (const item of contents as readonly unknown[]) state.push(item);
  } else if (state instanceof Set) {
    state.clear();
    for (const item of contents as ReadonlySet<unknown>) state.add(item);
  } else if (state instanceof Map) {
    state.clear();
    for (const [key, value] of contents as ReadonlyMap<unknown, unknown>) state.set(key, value);
  } else putBackFields(state, contents);
}

function putBackFields(state: object, fields: object): void {
  for (const name in state) if (!Object.hasOwn(fields, name)) Reflect.deleteProperty(state, name);
  Object.assign(state, fields);
}
