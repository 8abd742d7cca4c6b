import { durationError } from "@microremed/sim-time";

/** Collects what a validating webhook finds wrong, in Go's words. */
export class FieldErrors {
  readonly messages: string[] = [];

  /** `value` is printed as Go's `%#v` prints it: pass a string through `quoted`. */
  add(path: string, value: string, detail: string): void {
    this.messages.push(`${path}: Invalid value: ${value}: ${detail}`);
  }

  /** Checks an optional Go duration; an empty one counts as absent, as in Chaos Mesh. */
  duration(path: string, value: unknown): void {
    if (typeof value !== "string" || value === "") return;
    const error = durationError(value);
    if (error) this.add(path, JSON.stringify(value), `parse duration field error: ${error}`);
  }

  /** Checks a percentage that is a string, such as `loss: "50"`. */
  percentage(path: string, value: unknown): void {
    if (typeof value !== "string" || value === "") return;
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value))
      this.add(
        path,
        JSON.stringify(value),
        `parse correlation field error:strconv.ParseFloat: parsing ${JSON.stringify(value)}: invalid syntax`,
      );
  }

  /** One alone, several as a Go list. */
  text(): string {
    return this.messages.length === 1 ? `${this.messages[0]}` : `[${this.messages.join(", ")}]`;
  }
}

/** Reports a bad `value` for the mode once per embedding level of the selector, as the original does. */
export function checkSelectorValue(
  errors: FieldErrors,
  selector: { readonly mode?: unknown; readonly value?: unknown },
  paths: readonly string[],
): void {
  const detail = selectorValueError(String(selector.mode), String(selector.value ?? ""));
  if (!detail) return;
  for (const path of paths) errors.add(path, JSON.stringify(String(selector.value ?? "")), detail);
}

function selectorValueError(mode: string, value: string): string | undefined {
  if (mode !== "fixed" && mode !== "fixed-percent" && mode !== "random-max-percent") return undefined;
  if (!/^[+-]?\d+$/.test(value))
    return `parse value field error:strconv.Atoi: parsing ${JSON.stringify(value)}: invalid syntax`;
  const number = Number(value);
  if (mode === "fixed") return number <= 0 ? "value must be greater than 0 with mode:fixed" : undefined;
  return number <= 0 || number > 100
    ? `value of ${number} is invalid, Must be (0,100] with mode:${mode}`
    : undefined;
}
