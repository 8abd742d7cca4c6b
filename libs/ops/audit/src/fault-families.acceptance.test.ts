import { families, proveFamilies } from "./testing/prove-families.ts";

proveFamilies(families);
