import { InvalidArgumentError } from "commander";

/** For commander: a whole number in [min, max], or an error that says so. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new InvalidArgumentError(`expected a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

/** For commander: `counted`, `zero`, or seconds; the request's own rules say what else is wrong with it. */
export function thinkTime(text: string): string | number {
  const seconds = Number(text);
  return text.trim() === "" || Number.isNaN(seconds) ? text : seconds;
}

/** For commander: `executor=2,verifier=1`. */
export function replicaCounts(text: string): Record<string, number> {
  const services = ["scheduler", "injector", "remediator", "executor", "verifier"];
  const counts: Record<string, number> = {};
  for (const part of text.split(",")) {
    const [name = "", count = ""] = part.split("=");
    if (!services.includes(name) || !/^\d{1,2}$/.test(count) || Number(count) < 1) {
      throw new InvalidArgumentError(
        `expected <service>=<1..99>,... with a service of ${services.join(", ")}`,
      );
    }
    counts[name] = Number(count);
  }
  return counts;
}

/** For commander: yes/no words, since MicroRemed's own flag takes a value. */
export function yesOrNo(text: string): boolean {
  if (/^(true|yes|1)$/i.test(text)) return true;
  if (/^(false|no|0)$/i.test(text)) return false;
  throw new InvalidArgumentError("expected true or false");
}
