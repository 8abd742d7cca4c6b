/** Cases in which a real cluster and the embedded one differ, as `area: name`, and why that is no defect of either. */
export const explained: ReadonlyMap<string, string> = new Map();
