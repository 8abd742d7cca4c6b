export { type Clock, wallClock } from "./clock.ts";
export { AppError, type ErrorDetails, retryable, type Severity, terminal } from "./errors.ts";
export { isJsonObject, parseJson } from "./json.ts";
export { type Logger, silentLogger } from "./logger.ts";
export { createRng, type Rng } from "./rng.ts";
export { clipMiddle, oneOf } from "./text.ts";
export { type TlsFiles, tlsFilesFrom } from "./tls-files.ts";
export { type WaitOptions, waitFor } from "./wait.ts";
export { withoutParticulars } from "./without-particulars.ts";
