/** Linux errno numbers that simulated file systems return. */
const errnoNames: Readonly<Record<number, string>> = {
  1: "EPERM",
  2: "ENOENT",
  5: "EIO",
  12: "ENOMEM",
  13: "EACCES",
  16: "EBUSY",
  17: "EEXIST",
  20: "ENOTDIR",
  21: "EISDIR",
  28: "ENOSPC",
  30: "EROFS",
  39: "ENOTEMPTY",
  40: "ELOOP",
  107: "ENOTCONN",
};

const texts: Readonly<Record<string, string>> = {
  EPERM: "Operation not permitted",
  ENOENT: "No such file or directory",
  EIO: "Input/output error",
  ENOMEM: "Cannot allocate memory",
  EACCES: "Permission denied",
  EBUSY: "Device or resource busy",
  EEXIST: "File exists",
  ENOTDIR: "Not a directory",
  EISDIR: "Is a directory",
  ENOSPC: "No space left on device",
  EROFS: "Read-only file system",
  ENOTEMPTY: "Directory not empty",
  EINVAL: "Invalid argument",
  ELOOP: "Too many levels of symbolic links",
  ENOTCONN: "Transport endpoint is not connected",
};

/** A failed file system call inside a container, in the form of Node's fs errors. */
export class FileError extends Error {
  readonly code: string;
  readonly path: string;

  constructor(code: string, call: string, path: string) {
    super(`${code}: ${(texts[code] ?? "unknown error").toLowerCase()}, ${call} '${path}'`);
    this.name = "FileError";
    this.code = code;
    this.path = path;
  }

  /** strerror's words; musl (busybox images) words some its own way. */
  words(flavour: "busybox" | "gnu"): string {
    if (flavour === "busybox" && this.code === "EIO") return "I/O error";
    if (flavour === "busybox" && this.code === "ENOTCONN") return "Socket not connected";
    return texts[this.code] ?? this.code;
  }
}

/** The name of an errno number. */
export const errnoName = (errno: number): string => errnoNames[errno] ?? `E${errno}`;

/** What went wrong with a file, for a tool's message. */
export const fileWords = (thrown: unknown, flavour: "busybox" | "gnu"): string =>
  thrown instanceof FileError ? thrown.words(flavour) : String(thrown);
