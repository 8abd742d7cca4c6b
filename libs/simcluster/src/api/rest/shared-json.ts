/** JSON of objects that many readers get one after another: the last one is written once for all of them. */
export type SharedJson = (object: object) => string;

export function createSharedJson(): SharedJson {
  let last: object | undefined;
  let text = "";
  return (object) => {
    if (object !== last) {
      text = JSON.stringify(object);
      last = object;
    }
    return text;
  };
}
