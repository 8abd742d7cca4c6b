import type { Variables } from "./cursor.ts";
import { evaluateExpression } from "./expression.ts";
import { notInterpreted } from "./template-error.ts";
import { isTrue, isUndefined, textOf } from "./values.ts";

const whole = /^\s*\{\{((?:(?!\}\}|\{\{)[\s\S])*)\}\}\s*$/;
const part = /\{\{((?:(?!\}\})[\s\S])*)\}\}/g;
const maxTextLength = 1 << 20;

/** A value with all templates in it replaced; a string that is one template alone keeps the type of its value. */
export function render(value: unknown, variables: Variables): unknown {
  if (typeof value === "string") return renderText(value, variables);
  if (Array.isArray(value)) return value.map((item) => render(item, variables));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, render(item, variables)]));
  return value;
}

function renderText(text: string, variables: Variables): unknown {
  if (/\{%|\{#/.test(text)) throw notInterpreted("statements of Jinja ({% ... %})");
  if (!text.includes("{{")) return text;
  const [, alone] = whole.exec(text) ?? [];
  if (alone !== undefined) {
    const value = evaluateExpression(alone, variables);
    if (isUndefined(value)) throw value.error;
    return value;
  }
  const rendered = text.replace(part, (_all, expression: string) =>
    textOf(evaluateExpression(expression, variables)),
  );
  return rendered.slice(0, maxTextLength);
}

/** Whether all conditions of `when`, `until` and their like hold. */
export function holds(condition: unknown, variables: Variables): boolean {
  if (Array.isArray(condition)) return condition.every((one) => holds(one, variables));
  if (typeof condition !== "string") return isTrue(condition);
  const plain = condition.replace(/^\s*\{\{([\s\S]*)\}\}\s*$/, "$1");
  const value = evaluateExpression(plain, variables);
  return typeof value === "string" && plain.trim() !== value ? holds(value, variables) : isTrue(value);
}
