import { describe, expect, it } from 'vitest';
import { releasesOf, withRelease } from '../../../scripts/release/changelog.ts';

const BEFORE = '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0 - 2026-11-29\n\n- First.\n';

describe('the changelog of a release', () => {
  it('has the day of the release over what was unreleased, below an empty heading', () => {
    const after = withRelease(BEFORE, '0.2.0', '2027-02-03');
    expect(after).toContain('\n## Unreleased\n\n## 0.2.0 - 2027-02-03\n\n- New.\n');
    expect(releasesOf(after)).toEqual([
      { version: '0.2.0', day: '2027-02-03' }, { version: '0.1.0', day: '2026-11-29' },
    ]);
  });

  it('gets another day by another run, and nothing else', () => {
    const once = withRelease(BEFORE, '0.2.0', '2027-02-03');
    expect(withRelease(once, '0.2.0', '2027-02-04')).toBe(once.replace('02-03', '02-04'));
  });

  it('must have what is unreleased', () => {
    expect(() => withRelease('# Changelog\n', '0.2.0', '2027-02-03')).toThrow('no "## Unreleased"');
  });
});
