/** Longest playbook that is taken anywhere, characters. */
export const maxPlaybookLength = 262_144;
