/** The interface that code logs through; services implement it with pino. Fields are flat and hold no secrets. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const ignore = (): void => {};

/** Drops everything: for tests that do not read logs. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
