import { expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import type { ExecOptions } from "../cluster.types.ts";
import { type ClusterOver, clusterOver } from "../testing/cluster-over.ts";

const options: ExecOptions = {
  namespace: "n",
  pod: "a",
  container: "c",
  command: ["echo", "a b"],
  timeoutMs: 5000,
};

/** A cluster whose execs are answered by `answer`. */
async function execsTo(answer: (socket: WebSocket, url: string) => void): Promise<ClusterOver> {
  const world = await clusterOver((_request, response) => response.end());
  const sockets = new WebSocketServer({ server: world.server });
  sockets.on("connection", (socket, request) => answer(socket, request.url ?? ""));
  return world;
}

const frame = (channel: number, text: string): Buffer =>
  Buffer.concat([Buffer.of(channel), Buffer.from(text)]);

test("gives both outputs up to their bound, and the exit code", async () => {
  let asked = "";
  await using world = await execsTo((socket, url) => {
    asked = url;
    socket.send(frame(1, "out"));
    socket.send(frame(1, "put and more"));
    socket.send(frame(2, "error"));
    const causes = [{ reason: "ExitCode", message: "3" }];
    socket.send(
      frame(3, JSON.stringify({ status: "Failure", reason: "NonZeroExitCode", details: { causes } })),
    );
  });
  const result = await world.cluster.exec({ ...options, maxBytes: 6 });
  expect(result).toEqual({ exitCode: 3, stdout: "output", stderr: "error" });
  expect(new URL(asked, "http://x").searchParams.getAll("command")).toEqual(["echo", "a b"]);
});

test("what comes after the status is too late to matter", async () => {
  await using world = await execsTo((socket) => {
    socket.send(frame(3, JSON.stringify({ status: "Success" })));
    socket.send(frame(1, "late"));
  });
  expect(await world.cluster.exec(options)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
});

test("a refusal has the API server's words", async () => {
  await using world = await clusterOver(() => {});
  world.server.on("upgrade", (_request, socket) => {
    const body = JSON.stringify({ message: 'pods "a" not found', reason: "NotFound" });
    socket.end(`HTTP/1.1 404 Not Found\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  });
  await expect(world.cluster.exec(options)).rejects.toMatchObject({
    code: "cluster-refused",
    message: expect.stringContaining('pods "a" not found'),
    details: { status: 404 },
  });
});

test("a command that the kubelet cannot start is refused", async () => {
  await using world = await execsTo((socket) =>
    socket.send(frame(3, JSON.stringify({ status: "Failure", message: "no such program" }))),
  );
  await expect(world.cluster.exec(options)).rejects.toMatchObject({
    code: "cluster-refused",
    message: expect.stringContaining("n/a (c) on cluster x: no such program"),
  });
});

test.each([
  ["an unknown channel", (socket: WebSocket) => socket.send(frame(9, "?")), "Unknown stream"],
  ["a close of our own output", (socket: WebSocket) => socket.send(Buffer.of(255, 1)), "Unknown stream"],
  ["a status that is not JSON", (socket: WebSocket) => socket.send(frame(3, "{")), "not JSON"],
  ["a lost connection", (socket: WebSocket) => socket.terminate(), "the connection closed"],
  ["no end", () => {}, "no end within 300 ms", "deadline-exceeded"],
])(
  "%s is an error of this exec and of nothing else",
  async (_what, answer, message, code = "cluster-unreachable") => {
    await using world = await execsTo(answer);
    await expect(world.cluster.exec({ ...options, timeoutMs: 300 })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  },
);

test("an exec ends with its signal", async () => {
  await using world = await execsTo((socket) => socket.send(frame(1, "out")));
  const signal = AbortSignal.timeout(50);
  await expect(world.cluster.exec({ ...options, signal })).rejects.toMatchObject({ name: "TimeoutError" });
});
