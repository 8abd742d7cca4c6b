export { type OtlpReceiver, type SeenSpan, startOtlpReceiver } from "./otlp-receiver.ts";
