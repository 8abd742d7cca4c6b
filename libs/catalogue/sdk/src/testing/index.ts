export { aGradeContext, aShop } from "./a-grade-context.ts";
