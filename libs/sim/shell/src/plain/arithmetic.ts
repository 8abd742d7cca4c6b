import type { WordNode } from "just-bash";
import { NotPlain, type PlainShell, variableOf } from "./shell.ts";

type Expansion = Extract<WordNode["parts"][number], { type: "ArithmeticExpansion" }>;
type Expression = Expansion["expression"]["expression"];
type Value = (shell: PlainShell) => number;

const operators = new Map<string, (left: number, right: number) => number>([
  ["+", (left, right) => left + right],
  ["-", (left, right) => left - right],
]);

/** `$((...))` with sums of numbers and variables. A variable that is not a plain number is a matter for the whole shell. */
export function arithmetic({ expression, originalText }: Expansion["expression"]) {
  const value = amount(expression);
  return (shell: PlainShell): string | Promise<string> => {
    const result = value(shell);
    if (Number.isSafeInteger(result)) return String(result);
    return shell.programs.ask(`printf %s $((${originalText}))`, shell);
  };
}

function amount(expression: Expression): Value {
  if (expression.type === "ArithNumber") return () => expression.value;
  if (expression.type === "ArithVariable") return (shell) => numberOf(variableOf(shell, expression.name));
  const operate = expression.type === "ArithBinary" ? operators.get(expression.operator) : undefined;
  if (expression.type !== "ArithBinary" || !operate) throw new NotPlain();
  const [left, right] = [amount(expression.left), amount(expression.right)];
  return (shell) => operate(left(shell), right(shell));
}

/** NaN: it is something else, perhaps another expression. */
const numberOf = (text: string): number => (/^(0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : Number.NaN);
