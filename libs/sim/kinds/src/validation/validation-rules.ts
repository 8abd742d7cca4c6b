import type { Loose, StatusCause } from "@microremed/sim-objects";
import { type ExpressionError, parseExpression } from "../custom/cel/expression.ts";
import { invalidLiteral, invalidValue, notSupported, required } from "../fields/field-errors.ts";

const reasons = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

const quoted = (text: Loose): string => JSON.stringify(text ?? "");

/** A rule as Go prints the struct. */
function literal(rule: Loose): string {
  const reason = rule.reason === undefined ? "nil" : "0xc000000000";
  const optional = rule.optionalOldSelf === undefined ? "nil" : "0xc000000000";
  return `apiextensions.ValidationRule{Rule:${quoted(rule.rule)}, Message:${quoted(rule.message)}, MessageExpression:${quoted(rule.messageExpression)}, Reason:(*apiextensions.FieldValueErrorReason)(${reason}), FieldPath:${quoted(rule.fieldPath)}, OptionalOldSelf:(*bool)(${optional})}`;
}

function compileError(expression: string, { text, at }: ExpressionError): string {
  return `compilation failed: ERROR: <input>:1:${at + 1}: ${text}\n | ${expression}\n | ${".".repeat(at)}^`;
}

function validateRule(rule: Loose, at: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const message = String(rule.message ?? "");
  const messageExpression = String(rule.messageExpression ?? "");
  const reason = rule.reason ?? undefined;
  const text = String(rule.rule ?? "");
  const oldSelf = rule.optionalOldSelf === true ? "optional" : "dyn";
  if (text.trim() === "") causes.push(required(`${at}.rule`, "rule is not specified"));
  else {
    const parsed = parseExpression(text, oldSelf);
    if ("text" in parsed)
      causes.push(invalidLiteral(`${at}.rule`, literal(rule), compileError(text, parsed)));
  }
  if (message !== "" && message.trim() === "")
    causes.push(invalidValue(`${at}.message`, message, "message must be non-empty if specified"));
  else if (message.trim().includes("\n"))
    causes.push(invalidValue(`${at}.message`, message, "message must not contain line breaks"));
  else if (text.trim().includes("\n") && message === "")
    causes.push(required(`${at}.message`, "message must be specified if rule contains line breaks"));
  if (messageExpression !== "") {
    const parsed = parseExpression(messageExpression, oldSelf);
    if ("text" in parsed) {
      const detail = compileError(messageExpression, parsed).replace(
        "compilation",
        "messageExpression compilation",
      );
      causes.push(invalidLiteral(`${at}.messageExpression`, literal(rule), detail));
    }
  }
  if (reason !== undefined && !reasons.includes(reason))
    causes.push(notSupported(`${at}.reason`, reason, reasons));
  return causes;
}

/** The errors in the `x-kubernetes-validations` of the schema at `path`. */
export function validateRules(rules: Loose, path: string): StatusCause[] {
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule, index) => validateRule(rule, `${path}.x-kubernetes-validations[${index}]`));
}
