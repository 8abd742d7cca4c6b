import type { ContainerRuntime, LogLine } from "./machine.ts";

/** A container keeps this many lines. */
const maxLines = 300;
const maxLineLength = 4000;

/** Adds a line to a container's log; the oldest goes when it is full. */
export function appendLog(container: ContainerRuntime, line: LogLine): void {
  container.logs.push({ ...line, text: inOnePiece(line.text.slice(0, maxLineLength)) });
  if (container.logs.length > maxLines) container.logs.splice(0, container.logs.length - maxLines);
}

/** A text glued together holds on to all its pieces, four times its size: too much for thousands of lines. */
const inOnePiece = (text: string): string => Buffer.from(text).toString();
