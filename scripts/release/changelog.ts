const UNRELEASED = '## Unreleased';

/** A heading of a release: its version, and its day. */
const RELEASED = /^## (\d+\.\d+\.\d+) - (\d{4}-\d{2}-\d{2})$/gm;

/** The releases of a changelog with their days, newest first. */
export function releasesOf(changelog: string): readonly { version: string; day: string }[] {
  return [...changelog.matchAll(RELEASED)].map(([, version = '', day = '']) => ({ version, day }));
}

/**
 * The changelog in which what was unreleased is a release of that day, below a new empty heading.
 * A release that it has already gets the day.
 */
export function withRelease(changelog: string, version: string, day: string): string {
  const heading = `## ${version} - ${day}`;
  const known = releasesOf(changelog).find((release) => release.version === version);
  if (known !== undefined) return changelog.replace(`## ${version} - ${known.day}`, heading);
  if (!changelog.includes(`\n${UNRELEASED}\n`)) throw new Error(`CHANGELOG.md has no "${UNRELEASED}".`);
  return changelog.replace(`\n${UNRELEASED}\n`, `\n${UNRELEASED}\n\n${heading}\n`);
}
