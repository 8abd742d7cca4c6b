import { isRecord, type Loose } from "@microremed/sim-objects";

type Step = (value: Loose) => readonly Loose[];

const children = (value: Loose): readonly Loose[] => {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.values(value) : [];
};

const field =
  (name: string): Step =>
  (value) =>
    isRecord(value) && value[name] !== undefined ? [value[name]] : [];

const element =
  (index: number): Step =>
  (value) =>
    Array.isArray(value) && value.at(index) !== undefined ? [value.at(index)] : [];

function filter(path: string, operator: string, wanted: string): Step {
  const read = parseJsonPath(path);
  return (value) =>
    children(value).filter((item) => (String(read?.(item)[0]) === wanted) === (operator === "=="));
}

const patterns: readonly (readonly [RegExp, (match: RegExpExecArray) => Step])[] = [
  [/^\.\*|^\[\*\]/, () => children],
  [/^\.?\[(-?\d+)\]/, ([, index]) => element(Number(index))],
  [/^\.?\['([^']*)'\]|^\.?\["([^"]*)"\]/, ([, single, double]) => field(single ?? double ?? "")],
  [
    /^\.?\[\?\(\s*@((?:\.[\w-]+)+)\s*(==|!=)\s*["']?([^"')]*?)["']?\s*\)\]/,
    ([, path = "", operator = "", wanted = ""]) => filter(path, operator, wanted),
  ],
  [/^\.((?:[^.[\]\\]|\\.)+)/, ([, name = ""]) => field(name.replaceAll("\\", ""))],
];

/**
 * The part of JSONPath that printer columns and the scale subresource use: fields, indexes, `*`, and comparison
 * filters. Undefined when the path cannot be read.
 */
export function parseJsonPath(path: string): ((value: Loose) => readonly Loose[]) | undefined {
  const steps: Step[] = [];
  let rest = path.replace(/^\{(.*)\}$/, "$1").replace(/^\$/, "");
  while (rest !== "") {
    const found = patterns
      .map(([pattern, make]) => ({ match: pattern.exec(rest), make }))
      .find(({ match }) => match);
    if (!found?.match) return undefined;
    steps.push(found.make(found.match));
    rest = rest.slice(found.match[0].length);
  }
  return (value) => steps.reduce<readonly Loose[]>((values, step) => values.flatMap(step), [value]);
}
