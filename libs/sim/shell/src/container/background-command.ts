/** The command that a script's background commands are rewritten to: no program of an image has this name. */
export const backgroundCommand = "__background";
