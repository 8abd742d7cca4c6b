import { expect, test } from "vitest";
import { noFileSockets } from "./argument-checks.ts";
import { systemCallFilter } from "./system-call-filter.ts";
import { systemCalls } from "./system-calls.ts";

const ENOSYS = 38;
const audited = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;
const architectures = ["x64", "arm64"] as const;

/** Runs a filter as the kernel does, on one call. Answers `allow`, `kill`, or the error's number. */
function verdict(filter: Uint8Array, data: Uint8Array): "allow" | "kill" | number {
  const program = new DataView(filter.buffer, filter.byteOffset, filter.byteLength);
  const input = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let accumulator = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const constant = program.getUint32(at + 4, true);
    switch (program.getUint16(at, true)) {
      case 0x20:
        accumulator = input.getUint32(constant, true);
        break;
      case 0x54:
        accumulator = (accumulator & constant) >>> 0;
        break;
      case 0x15:
        at += 8 * program.getUint8(accumulator === constant ? at + 2 : at + 3);
        break;
      case 0x06:
        if (constant === 0x7fff_0000) return "allow";
        return constant === 0x8000_0000 ? "kill" : constant - 0x0005_0000;
      default:
        throw new Error(`no such instruction at byte ${at}`);
    }
  }
  throw new Error("the program ends without a verdict");
}

function call(architecture: number, number: number, args: readonly number[] = []): Uint8Array {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(architecture, 4);
  // The high half is noise: the kernel does not read it either where these are checked.
  for (const [index, arg] of args.entries()) {
    data.writeUInt32LE(arg >>> 0, 16 + 8 * index);
    data.writeUInt32LE(0xdead_beef, 20 + 8 * index);
  }
  return data;
}

test.each(architectures)("%s: what is listed passes, everything else does not exist", (architecture) => {
  const filter = systemCallFilter(architecture) ?? Buffer.alloc(0);
  const numbers = new Set(systemCalls(architecture).values());
  expect(numbers.size).toBe(systemCalls(architecture).size);
  const passing = [0, 1, 0, 0, 0];
  const checked = new Set(["clone", "socketpair"].map((name) => systemCalls(architecture).get(name)));
  for (let number = 0; number < 600; number++) {
    const wanted = numbers.has(number) ? "allow" : ENOSYS;
    const args = checked.has(number) ? [number === systemCalls(architecture).get("clone") ? 17 : 1] : passing;
    const socket = number === systemCalls(architecture).get("socket") ? [2, 1, 0] : args;
    expect(verdict(filter, call(audited[architecture], number, socket)), `call ${number}`).toBe(wanted);
  }
});

test("code of another architecture is killed, and x32 calls do not exist", () => {
  const filter = systemCallFilter("x64") ?? Buffer.alloc(0);
  const i386 = 0x4000_0003;
  expect(verdict(filter, call(i386, 4))).toBe("kill");
  expect(verdict(filter, call(audited.arm64, 64))).toBe("kill");
  expect(verdict(filter, call(audited.x64, 0x4000_0000 | 1))).toBe(ENOSYS);
});

test("an architecture whose calls are not known has no filter", () => {
  expect(systemCallFilter("riscv64")).toBeUndefined();
});

const [CLONE_NEWUSER, CLONE_THREAD, SOCK_CLOEXEC] = [0x1000_0000, 0x0001_0000, 0x8_0000];
test.each([
  ["clone", [17], "allow"],
  ["clone", [CLONE_THREAD], "allow"],
  ["clone", [CLONE_NEWUSER | 17], 1],
  ["socket", [1, 1 | SOCK_CLOEXEC, 0], "allow"],
  ["socket", [10, 2, 17], "allow"],
  ["socket", [2, 3, 1], 93],
  ["socket", [2, 1, 132], 93],
  ["socket", [16, 3, 0], 97],
  ["socket", [40, 1, 0], 97],
  ["socketpair", [1, 5, 0], "allow"],
  ["socketpair", [30, 1, 0], 97],
  ["setsockopt", [3, 1, 2], "allow"],
  ["setsockopt", [3, 41, 26], "allow"],
  ["setsockopt", [3, 1, 26], 1],
  ["setsockopt", [3, 1, 52], 1],
  ["ioctl", [0, 0x5401], "allow"],
  ["ioctl", [0, 0x5412], 1],
  ["ioctl", [0, 0x541c], 1],
  ["mmap", [0, 4096, 3, 0x22], "allow"],
  ["mmap", [0, 4096, 3, 0x01], "allow"],
  ["mmap", [0, 4096, 3, 0x21], 1],
  ["personality", [0xffff_ffff], "allow"],
  ["personality", [0x0040_0000], 1],
  ["prctl", [15], "allow"],
  ["prctl", [22], 1],
] as const)("%s(%j): %s", (name, args, wanted) => {
  for (const architecture of architectures) {
    const filter = systemCallFilter(architecture) ?? Buffer.alloc(0);
    const number = systemCalls(architecture).get(name) ?? -1;
    expect(verdict(filter, call(audited[architecture], number, args))).toBe(wanted);
  }
});

test.each([
  ["socket", [1, 1 | SOCK_CLOEXEC, 0], 97],
  ["socket", [2, 1 | SOCK_CLOEXEC, 6], "allow"],
  ["socketpair", [1, 1 | SOCK_CLOEXEC, 0], "allow"],
  ["socketpair", [1, 5, 0], "allow"],
  ["socketpair", [1, 2, 0], 93],
  ["socketpair", [30, 1, 0], 97],
] as const)("where folders are shown, %s(%j): %s", (name, args, wanted) => {
  for (const architecture of architectures) {
    const filter = systemCallFilter(architecture, noFileSockets) ?? Buffer.alloc(0);
    const number = systemCalls(architecture).get(name) ?? -1;
    expect(verdict(filter, call(audited[architecture], number, args))).toBe(wanted);
  }
});
