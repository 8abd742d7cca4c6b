import type { Area, Interpreter, Need, Step } from "./case.types.ts";

/** An area of cases: what is true of a cluster -> the steps that show it. */
export function area(name: string, cases: Readonly<Record<string, readonly Step[]>>, needs?: Need): Area {
  return {
    name,
    ...(needs && { needs }),
    cases: Object.entries(cases).map(([title, steps]) => ({ name: title, steps })),
  };
}

/** An area whose cases close nodes to pods. */
export const closingNodes = (name: string, cases: Readonly<Record<string, readonly Step[]>>): Area => ({
  ...area(name, cases),
  closesNodes: true,
});

/** An area whose cases are scripts for one client. */
export function scripts(
  name: string,
  interpreter: Interpreter,
  cases: Readonly<Record<string, string>>,
): Area {
  return {
    name,
    interpreter,
    scripts: Object.entries(cases).map(([title, script]) => ({ name: title, script })),
  };
}
