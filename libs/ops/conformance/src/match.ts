/** The expected shape of a value: objects list the fields to compare, patterns match text, functions decide. */
export type Shape =
  | string
  | number
  | boolean
  | null
  | undefined
  | RegExp
  | readonly Shape[]
  | ((value: never) => boolean)
  | { readonly [field: string]: Shape };

const show = (value: unknown): string => JSON.stringify(value) ?? "nothing";

/** Where and how a value differs from a shape; undefined: it does not. An array must have as many elements. */
export function difference(value: unknown, shape: Shape, path = ""): string | undefined {
  const at = path || "the value";
  if (shape instanceof RegExp) {
    const text = typeof value === "string" ? value : show(value);
    return shape.test(text) ? undefined : `${at} is ${text}, expected ${shape}`;
  }
  if (typeof shape === "function") {
    return shape(value as never) ? undefined : `${at} is ${show(value)}, expected ${shape}`;
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return `${at} is ${show(value)}, expected a list`;
    if (value.length !== shape.length)
      return `${at} has ${value.length} elements: ${show(value)}, expected ${shape.length}`;
    return first(shape, (each, index) => difference(value[index], each, `${path}[${index}]`));
  }
  if (typeof shape === "object" && shape !== null) {
    if (typeof value !== "object" || value === null) return `${at} is ${show(value)}, expected an object`;
    const fields = value as Readonly<Record<string, unknown>>;
    return first(Object.entries(shape), ([key, each]) =>
      difference(fields[key], each, path ? `${path}.${key}` : key),
    );
  }
  return value === shape ? undefined : `${at} is ${show(value)}, expected ${show(shape)}`;
}

function first<T>(
  items: readonly T[],
  judge: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = judge(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A list with at least one element of a shape. */
export const including =
  (shape: Shape) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.some((each) => difference(each, shape) === undefined);

/** A condition of a type with a given status. */
export const condition = (type: string, status: string, more: { readonly [field: string]: Shape } = {}) => ({
  status: { conditions: including({ type, status, ...more }) },
});

/** The shape with another text in its strings and patterns. */
export function fillShape(shape: Shape, fill: (text: string) => string): Shape {
  if (typeof shape === "string") return fill(shape);
  if (shape instanceof RegExp) return fillPattern(shape, fill);
  if (typeof shape !== "object" || shape === null) return shape;
  if (Array.isArray(shape)) return shape.map((each) => fillShape(each, fill));
  return Object.fromEntries(Object.entries(shape).map(([key, each]) => [key, fillShape(each, fill)]));
}

/** In a pattern, `\\$NS` is what `fill` makes of `$NS`. */
export const fillPattern = (pattern: RegExp, fill: (text: string) => string): RegExp =>
  new RegExp(pattern.source.replaceAll("\\$NS", fill("$NS")), pattern.flags);
