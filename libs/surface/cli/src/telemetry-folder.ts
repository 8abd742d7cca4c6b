/** Where `run --telemetry` saves, in the directory of the episodes. */
export const telemetryFolder = "telemetry";
