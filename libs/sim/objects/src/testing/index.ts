export { testGoldens } from "./goldens.ts";
