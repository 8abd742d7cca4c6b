import { parser, Release } from "keep-a-changelog";

/**
 * The changelog with everything under "Unreleased" moved to a section of its own for `version`.
 * Throws when nothing is there.
 */
export function releaseNotes(text: string, version: string, date: Date): string {
  const changelog = parser(text);
  const unreleased = changelog.releases.find((release) => release.version === undefined);
  if (unreleased === undefined || unreleased.isEmpty())
    throw new Error('CHANGELOG.md has nothing under "## Unreleased": write what a user notices there first');
  unreleased.setVersion(version);
  unreleased.setDate(date);
  changelog.addRelease(new Release());
  changelog.format = "markdownlint";
  return changelog.toString();
}

/** The citation with that version and date. */
export function citationOf(text: string, version: string, date: Date): string {
  return text
    .replace(/^version: .*$/m, `version: ${version}`)
    .replace(/^date-released: .*$/m, `date-released: ${date.toISOString().slice(0, 10)}`);
}

/** The Python package's own module with that version: its metadata are made from there. */
export function pythonVersionOf(text: string, version: string): string {
  return text.replace(/^__version__ = ".*"$/m, `__version__ = "${version}"`);
}
