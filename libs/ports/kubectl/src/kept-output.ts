/** Characters of an answer that are kept by default: the tools that ask make it shorter, in a way that fits what it is. */
export const keptOutput = 256 * 1024;
