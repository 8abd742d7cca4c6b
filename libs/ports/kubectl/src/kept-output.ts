/**
 * Characters of an answer that are kept by default, as many as a sandbox keeps. The tools that ask make it shorter, in a way that
 * fits what it is.
 */
export const keptOutput = 128 * 1024;
