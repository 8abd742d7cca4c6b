import { expect, test } from "vitest";
import { headerOf } from "./container/tar-format.ts";
import { createShell, gnu } from "./testing/create-shell.ts";

const bytes = Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7) % 256));
const python = createShell((container) => {
  const { behaviour } = gnu(container);
  return behaviour ? { behaviour: { ...behaviour, tools: [...behaviour.tools, "python3", "nginx"] } } : {};
});
const shell = createShell(gnu);
shell.container.files.set("/tmp/bytes", bytes);
const sh = (script: string) => shell.run(["sh", "-c", script]);

test.each([
  "cat /tmp/bytes",
  "cat < /tmp/bytes",
  "cat /tmp/bytes | cat",
  "cat /tmp/bytes | base64 | base64 -d",
  "gzip -c /tmp/bytes | gunzip -c",
  "cp /tmp/bytes /tmp/copy; cat /tmp/copy > /tmp/second; cat /tmp/second",
  "cat /tmp/bytes | tee /tmp/third > /dev/null; cat /tmp/third",
  "if true; then sleep 1; cat /tmp/bytes; fi",
  "for one in bytes; do (cd /tmp && cat $one); done",
  "case x in x) cat /tmp/bytes;; esac",
  "tar cf /tmp/all.tar -C /tmp bytes; rm -f /tmp/other/bytes; mkdir -p /tmp/other; tar xf /tmp/all.tar -C /tmp/other; cat /tmp/other/bytes",
])("the same bytes come out of: %s", async (script) => {
  expect((await sh(script)).bytes.equals(bytes)).toBe(true);
});

test("an archive is printed as it is, as kubectl cp takes it", async () => {
  for (const ran of [await shell.run(["tar", "cf", "-", "/tmp/bytes"]), await sh("tar cf - /tmp/bytes")]) {
    expect(ran.bytes.byteLength % 512).toBe(0);
    expect(ran.bytes.includes(bytes)).toBe(true);
  }
  const none = await shell.run(["tar", "cf", "-", "/tmp/none"]);
  expect(none).toMatchObject({
    code: 2,
    err: expect.stringContaining("tar: /tmp/none: Cannot stat: No such file or directory"),
  });
  expect(none.bytes.equals(Buffer.alloc(10_240))).toBe(true);
});

test("an archive goes through as it comes: large files, zeros, links, long names, a client that leaves at the end", async () => {
  const long = `/tmp/in/${"d".repeat(90)}/${"f".repeat(90)}`;
  const zeros = Buffer.alloc(3_000_000);
  await sh(`mkdir -p /tmp/in/empty ${long.slice(0, -91)}; echo long > ${long}; ln -s zeros /tmp/in/way`);
  shell.container.files.set("/tmp/in/zeros", zeros);
  const { bytes: archive, code } = await shell.run(["tar", "cf", "-", "-C", "/tmp", "in"]);
  expect([code, archive.byteLength % 10_240]).toEqual([0, 0]);
  const leaves = new AbortController();
  const piecewise = async function* () {
    for (let at = 0; at < archive.byteLength; at += 4096) yield archive.subarray(at, at + 4096);
    leaves.abort();
  };
  expect(await shell.run(["tar", "-xmf", "-", "-C", "/out"], piecewise(), leaves.signal)).toMatchObject({
    code: 0,
    err: "",
  });
  expect(Buffer.from(shell.container.files.get("/out/in/zeros") ?? []).equals(zeros)).toBe(true);
  const { out } = await sh(`cat /out${long.slice(4)}; readlink /out/in/way; ls -d /out/in/empty`);
  expect(out).toBe("long\nzeros\n/out/in/empty\n");
  const cut = await shell.run(
    ["tar", "xf", "-", "-C", "/cut"],
    archive.subarray(0, 100_000).toString("latin1"),
  );
  expect(cut).toMatchObject({ code: 2, err: expect.stringContaining("tar: Unexpected EOF in archive") });
});

test("a member that says it is larger than there is room for is never held, and those after it are there", async () => {
  const piece = new Uint8Array(1 << 20);
  const member = { type: "file", target: "", mode: 0o644, mtime: new Date(0) } as const;
  let held = 0;
  const archive = (pieces: number) =>
    async function* () {
      yield headerOf({ ...member, name: "huge", size: pieces * piece.byteLength });
      for (let sent = 0; sent < pieces; sent += 1) yield piece;
      held = process.memoryUsage().arrayBuffers;
      yield headerOf({ ...member, name: "small", size: 512 });
      yield piece.subarray(0, 512 + 1024);
    };
  const before = process.memoryUsage().arrayBuffers;
  const { code, err } = await shell.run(["tar", "xf", "-", "-C", "/full"], archive(520)());
  expect([code, err.split("\n")[0]]).toEqual([2, "tar: huge: Cannot write: No space left on device"]);
  expect(shell.container.files.get("/full/small")?.byteLength).toBe(512);
  expect(shell.container.files.has("/full/huge")).toBe(false);
  expect(held - before).toBeLessThan(100 << 20);
  // The size of a pax header counts, and one that is none breaks the archive.
  const pax = "13 size=-512\n";
  const broken = await shell.run(
    ["tar", "xf", "-", "-C", "/full"],
    (async function* () {
      const header = Buffer.from(headerOf({ ...member, name: "pax", size: pax.length }));
      header.write("x", 156, "latin1");
      header.fill(" ", 148, 156);
      const sum = header.reduce((total, byte) => total + byte, 0);
      header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
      yield Buffer.concat([header, Buffer.from(pax.padEnd(512, "\0"))]);
      yield* archive(1)();
    })(),
  );
  expect([broken.code, broken.err]).toEqual([2, expect.stringContaining("not recoverable")]);
});

test("text stays text, in its order, with its exit codes and both streams", async () => {
  const script = `echo ü; printf '\\303\\274\\n'
ls /none 2>&1 >/dev/null
echo late >&2
f() { echo in f; return 3; }
f; echo $?
x=$(echo inner; false); echo "$x $?"
echo gone > /dev/null
! true || echo or
cat <<END
here $((1 + 1))
END
for i in 1 2; do echo $i; done > /tmp/numbers; cat /tmp/numbers | tr '\\n' ' '
set -e; false; echo never`;
  const ran = await sh(script);
  expect(ran.out.split("\n")).toEqual([
    ...["ü", "ü", expect.stringContaining("/none"), "in f", "3", "inner 1", "or", "here 2", "1 2 "],
  ]);
  expect([ran.err, ran.code]).toEqual(["late\n", 1]);
});

test("symbolic links lead where they point, and are archived as what they are", async () => {
  const made =
    await sh(`mkdir -p /tmp/real; echo text > /tmp/real/file; ln -s real /tmp/way; ln -s /tmp/way/file /root/far
cat /root/far /tmp/way/file; readlink /root/far; test -L /tmp/way && echo link
echo more >> /root/far; cat /tmp/real/file; rm /root/far; cat /tmp/real/file | wc -l
tar cf - -C /tmp way | tar tvf - | sed 's/.* way/way/'
ln -s loop /tmp/loop; cat /tmp/loop; rm /tmp/way; ls /tmp/real`);
  expect(made.out.split("\n")).toEqual([
    ...["text", "text", "/tmp/way/file", "link", "text", "more", "2", "way -> real", "file", ""],
  ]);
  expect(made.err).toContain("/tmp/loop: Too many levels of symbolic links");
});

test("devices without an end, and the terminal", async () => {
  const ran = await sh(
    "head -c 16 /dev/urandom | od -An -tx1; head -c 16 /dev/urandom | od -An -tx1; tty; echo $?",
  );
  const [first, second, ...rest] = ran.out.trim().split("\n");
  expect(first).not.toBe(second);
  expect(rest).toEqual(["not a tty", "1"]);
  expect((await sh("echo x > /dev/urandom; head -c 3 /dev/zero | wc -c")).out.trim()).toBe("3");
});

test("asking whether a device is there makes nothing of what it gives", async () => {
  const bytesAfter = async (script: string): Promise<string> => {
    const fresh = createShell(gnu);
    await fresh.run(["sh", "-c", script]);
    return (await fresh.run(["sh", "-c", "head -c 16 /dev/urandom | od -An -tx1"])).out;
  };
  const asking = "ls -l /dev; [ -e /dev/urandom ]; [ -f /dev/zero ]; cd /dev/urandom; mkdir /dev/random";
  expect(await bytesAfter(asking)).toBe(await bytesAfter("true"));
  expect(await sh("stat -c %s /dev/zero /dev/urandom /dev/null")).toMatchObject({ out: "0\n0\n0\n" });
});

test("a program of the image that is not simulated says so and fails, in a script too", async () => {
  for (const command of [
    ["python3", "-c", "print(1)"],
    ["sh", "-c", "python3 -c 'print(1)'"],
    ["sh", "-c", "sleep 1; nginx -s reload"],
  ])
    expect(await python.run(command)).toMatchObject({
      code: 126,
      out: "",
      err: expect.stringMatching(
        /^(python3|nginx): this program is in the image, but .* does not simulate it\n$/,
      ),
    });
  expect(await sh("python3 -c 'print(1)'")).toMatchObject({ code: 127, err: "sh: 1: python3: not found\n" });
});

test("a shell knows its own process", async () => {
  const [line = ""] = (await sh("ps -ef | grep 'sh -c' ; echo $$")).out.split("\n");
  const own = (await sh("true; echo $$")).out.trim();
  expect(Number(own)).toBeGreaterThan(1);
  expect(line).toMatch(new RegExp(`^root +${own} `));
});
