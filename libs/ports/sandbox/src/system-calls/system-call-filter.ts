import { type ArgumentCheck, argumentChecks } from "./argument-checks.ts";
import { type KnownArchitecture, systemCalls } from "./system-calls.ts";

/** One instruction of classic BPF: code, jumps if true and if false, and a constant. */
type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, constant: number];

const [LOAD, AND, JUMP_IF_EQUAL, RETURN] = [0x20, 0x54, 0x15, 0x06];
const ALLOW = 0x7fff_0000;
const KILL_PROCESS = 0x8000_0000;
const failWith = (errno: number): number => 0x0005_0000 | errno;
/** "Function not implemented": programs then use an older call, or go without. */
const ENOSYS = 38;

/** Offsets in `struct seccomp_data`; both architectures are little-endian, so the low half of an argument comes first. */
const [CALL, ARCHITECTURE, ARGUMENTS] = [0, 4, 16];
const argumentAt = (index: number): number => ARGUMENTS + 8 * index;

/** AUDIT_ARCH of <linux/audit.h>. */
const audited: Readonly<Record<KnownArchitecture, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/**
 * A compiled seccomp filter, as `bwrap --seccomp` and `prctl(PR_SET_SECCOMP)` take it: an allow-list. A call that is not in
 * it fails with ENOSYS, one with arguments that it may not have with the check's error, and code of another
 * architecture (32-bit code on a 64-bit kernel, too) is killed. Undefined: the calls of this architecture are not known.
 * `architecture` is a value of `process.arch`; `more`: checks besides those that every run has.
 */
export function systemCallFilter(
  architecture: string,
  more: Readonly<Record<string, readonly ArgumentCheck[]>> = {},
): Buffer | undefined {
  if (architecture !== "x64" && architecture !== "arm64") return undefined;
  return encode([
    [LOAD, 0, 0, ARCHITECTURE],
    [JUMP_IF_EQUAL, 1, 0, audited[architecture]],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, CALL],
    ...systemCalls(architecture)
      .entries()
      .flatMap(([name, number]) => {
        const checks = [...(argumentChecks[name] ?? []), ...(more[name] ?? [])];
        const verdict = [...checks.flatMap(compileCheck), allowed];
        return [[JUMP_IF_EQUAL, 0, verdict.length, number] as const, ...verdict];
      }),
    [RETURN, 0, 0, failWith(ENOSYS)],
  ]);
}

const allowed: Instruction = [RETURN, 0, 0, ALLOW];

/** Goes on after its last instruction if the check passes. */
function compileCheck({ arg, mask, values, passing, where, errno }: ArgumentCheck): Instruction[] {
  const refused: Instruction = [RETURN, 0, 0, failWith(errno)];
  // From the comparison at `index`, past the other comparisons: to the refusal, or behind it.
  const comparisons = values.map((value, index): Instruction => {
    const toRefusal = values.length - index - 1;
    const isLast = toRefusal === 0;
    if (passing) return [JUMP_IF_EQUAL, toRefusal + 1, 0, value];
    return [JUMP_IF_EQUAL, toRefusal, isLast ? 1 : 0, value];
  });
  const check: Instruction[] = [
    [LOAD, 0, 0, argumentAt(arg)],
    ...(mask === undefined ? [] : [[AND, 0, 0, mask] as const]),
    ...comparisons,
    refused,
  ];
  if (!where) return check;
  return [[LOAD, 0, 0, argumentAt(where.arg)], [JUMP_IF_EQUAL, 0, check.length, where.is], ...check];
}

function encode(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(8 * instructions.length);
  for (const [index, [code, whenTrue, whenFalse, constant]] of instructions.entries()) {
    const at = 8 * index;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(whenTrue, at + 2);
    bytes.writeUInt8(whenFalse, at + 3);
    bytes.writeUInt32LE(constant >>> 0, at + 4);
  }
  return bytes;
}
