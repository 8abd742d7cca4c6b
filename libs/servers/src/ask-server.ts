import { connect } from "node:net";

/** Sends `question` to a local TCP port and says whether the reply contains `expected`; never throws. */
export function askServer(port: number, question: string, expected: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    let reply = "";
    const finish = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(1_000, () => finish(false));
    socket.on("connect", () => socket.write(question));
    socket.on("data", (chunk) => {
      reply += chunk.toString("latin1");
      if (reply.includes(expected)) finish(true);
    });
    socket.on("error", () => finish(false));
    socket.on("close", () => finish(false));
  });
}
