export { aGradeContext, aShop } from "./a-grade-context.ts";
export { sampleOf } from "./sample.ts";
