import { EvaluationError, Optional } from "@marcbachmann/cel-js";
import { isRecord, jsonEqual, type Loose, type StatusCause } from "@microremed/sim-objects";
import { duplicate, forbiddenField, invalidValue, required } from "../../fields/field-errors.ts";
import type { Schema } from "../../structural-schema/schema.ts";
import { celValue, largestIn } from "./cel-value.ts";
import { type Expression, isUnknownFunction, type OldSelf, parseExpression } from "./expression.ts";

/** One of `x-kubernetes-validations`. */
interface Rule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** A value with its schema, its previous value and its path. */
interface Place {
  readonly schema: Schema;
  readonly value: Loose;
  readonly old: Loose;
  /** Empty for the object itself. */
  readonly field: string;
}

/** Of all rules of one object, in nodes that are visited; the server's own bound, in its units. */
const maxCost = 10_000_000;

const rulesOf = (schema: Schema): readonly Rule[] => schema["x-kubernetes-validations"] ?? [];

/** Whether a schema has rules, at whatever depth. */
export function hasRules(schema: Loose): boolean {
  if (!isRecord(schema)) return false;
  const inner = isRecord(schema["properties"]) ? Object.values(schema["properties"]) : [];
  return (
    rulesOf(schema).length > 0 || [...inner, schema["items"], schema["additionalProperties"]].some(hasRules)
  );
}

const oldSelfOf = ({ optionalOldSelf }: Rule): OldSelf => (optionalOldSelf ? "optional" : "dyn");

const ruleText = ({ rule, message }: Rule): string => (message || rule).trim();

/** In the words of the server: it shows the type of what is wrong, not the value. */
function cause(
  { schema, field }: Place,
  detail: string,
  { reason, fieldPath = "" }: Partial<Rule>,
): StatusCause {
  const at = `${field}${fieldPath}`.replace(/^\./, "") || "<nil>";
  if (reason === "FieldValueForbidden") return forbiddenField(at, detail);
  if (reason === "FieldValueRequired") return required(at, detail);
  if (reason === "FieldValueDuplicate") return duplicate(at, schema["type"]);
  return invalidValue(at, schema["type"] ?? "", detail);
}

function evaluationError(error: EvaluationError, rule: Rule): string {
  if (error.code === "no_such_overload")
    return `'no such overload': call arguments did not match a supported operator, function or macro signature for rule: ${ruleText(rule)}`;
  const text = error.summary;
  return `${text.charAt(0).toLowerCase()}${text.slice(1)} evaluating rule: ${ruleText(rule)}`;
}

function messageOf(rule: Rule, variables: Readonly<Record<string, unknown>>): string {
  const fallback = rule.message ? rule.message.trim() : `failed rule: ${ruleText(rule)}`;
  const expression = rule.messageExpression
    ? parseExpression(rule.messageExpression, oldSelfOf(rule))
    : undefined;
  if (!expression || !("evaluate" in expression)) return fallback;
  try {
    const text = expression.evaluate(variables);
    return typeof text === "string" && text.trim() !== "" && !text.includes("\n") ? text : fallback;
  } catch {
    return fallback;
  }
}

/** What an object's rules may still cost. */
interface Budget {
  left: number;
}

const outOfBudget =
  "validation failed due to running out of cost budget, no further validation rules will be run";

function variablesFor(place: Place, rule: Rule, isResource: boolean): Readonly<Record<string, unknown>> {
  const { schema, value, old } = place;
  const before = old === undefined || old === null ? undefined : celValue(schema, old, isResource);
  const optional = before === undefined ? Optional.none() : Optional.of(before);
  return { self: celValue(schema, value, isResource), oldSelf: rule.optionalOldSelf ? optional : before };
}

function evaluate(
  expression: Expression,
  place: Place,
  rule: Rule,
  isResource: boolean,
): StatusCause | undefined {
  const variables = variablesFor(place, rule, isResource);
  try {
    if (expression.evaluate(variables) === true) return undefined;
    return cause(place, messageOf(rule, variables), rule);
  } catch (error) {
    if (isUnknownFunction(error)) return undefined;
    if (error instanceof EvaluationError) return cause(place, evaluationError(error, rule), {});
    const text = error instanceof Error ? error.message : String(error);
    return cause(place, `${text} evaluating rule: ${ruleText(rule)}`, {});
  }
}

function judge(place: Place, rule: Rule, budget: Budget): StatusCause | undefined {
  const expression = parseExpression(rule.rule, oldSelfOf(rule));
  if (!("evaluate" in expression)) return cause(place, `rule compile error: ${expression.text}`, {});
  const isNew = place.old === undefined || place.old === null;
  // Rules about a change have nothing to say of what is new, all others nothing of what stays as it is.
  if (expression.usesOldSelf ? isNew && !rule.optionalOldSelf : !isNew && jsonEqual(place.value, place.old))
    return undefined;
  budget.left -= expression.cost(Math.max(largestIn(place.value), largestIn(place.old)));
  if (budget.left < 0) return cause(place, outOfBudget, {});
  return evaluate(expression, place, rule, place.field === "");
}

/** The element of a list that has the same keys; in other lists no element is another's successor. */
function oldItem({ schema, old }: Place, item: Loose): Loose {
  const keys: Loose = schema["x-kubernetes-list-map-keys"];
  if (!Array.isArray(keys) || !Array.isArray(old)) return undefined;
  return old.find((each) => keys.every((key: string) => jsonEqual(each?.[key], item?.[key])));
}

function below(place: Place): readonly Place[] {
  const { schema, value, old, field } = place;
  if (Array.isArray(value)) {
    const items: Loose = schema["items"];
    if (!isRecord(items)) return [];
    return value.map((item, index) => ({
      schema: items,
      value: item,
      old: oldItem(place, item),
      field: `${field}[${index}]`,
    }));
  }
  if (!isRecord(value)) return [];
  const properties: Schema = isRecord(schema["properties"]) ? schema["properties"] : {};
  return Object.entries(value).flatMap(([name, inner]) => {
    const own: Loose = properties[name] ?? schema["additionalProperties"];
    if (!isRecord(own)) return [];
    const at = properties[name] ? (field === "" ? name : `${field}.${name}`) : `${field}[${name}]`;
    return [{ schema: own, value: inner, old: isRecord(old) ? old[name] : undefined, field: at }];
  });
}

function check(place: Place, causes: StatusCause[], budget: Budget): void {
  if (place.value === null || place.value === undefined) return;
  for (const rule of rulesOf(place.schema)) {
    if (budget.left < 0) return;
    const broken = judge(place, rule, budget);
    if (broken) causes.push(broken);
  }
  for (const inner of below(place)) check(inner, causes, budget);
}

/**
 * The rules (`x-kubernetes-validations`) of its schema that an object breaks. `old`: the object before an update. A rule
 * with functions that are not supported here is skipped.
 */
export function ruleViolations(schema: Schema, object: Loose, old: Loose): StatusCause[] {
  const causes: StatusCause[] = [];
  check({ schema, value: object, old, field: "" }, causes, { left: maxCost });
  return causes;
}
