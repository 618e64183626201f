import { describe, expect, it } from 'vitest';
import { pageOfHours, titleOf, wordsIn, type Hour } from '../../../scripts/first-hours/page.ts';
import { strangersEnv } from '../../../scripts/first-hours/run-hours.ts';

describe('the environment of who follows a tutorial', () => {
  it('has no program of the checkout that measures, and no Node of a package', () => {
    const { PATH } = strangersEnv({
      PATH: '/repo/bin:/other/node_modules/.bin:/usr/bin:/bin',
    }, '/repo');
    expect(PATH).toBe('/usr/bin:/bin');
  });

  it('has nothing of a run of npm, of the tests or of the product, and what npm needs', () => {
    expect(strangersEnv({
      PATH: '/bin', HOME: '/home/reader', npm_lifecycle_event: 'test', npm_config_loglevel: 'silent',
      npm_config_registry: 'https://npm.example', NODE_EXTRA_CA_CERTS: '/ca.pem',
      NODE_OPTIONS: '--inspect', CI: 'true', RASTRO_CACHE_DIR: '/cache', KAFKA_BROKERS: 'a:1',
    }, '/repo')).toEqual({
      PATH: '/bin', HOME: '/home/reader', npm_config_registry: 'https://npm.example',
      NODE_EXTRA_CA_CERTS: '/ca.pem',
    });
  });
});

describe('the page of first hours', () => {
  const hour: Hour = {
    page: 'docs/tutorials/provider.md', title: 'For providers', words: 650, blocks: 12,
    tookMs: 8_400, lastShown: 'stored | 2', wrong: '',
  };

  it('has a row for each tutorial, and how long the start took', () => {
    const page = pageOfHours({
      readyMs: 61_700, foundMs: 3_140, movingMs: 12_480, load: 2.34, hours: [hour],
    }, 'abcd1234');
    expect(page).toContain('at commit `abcd1234`');
    expect(page).toContain(' with a load\nof 2.3 before: ');
    expect(page).toContain('with every package and program fetched: 62 s.');
    expect(page).toContain('the question in the README finds where vehicles are: 3.1 s.');
    expect(page).toContain('in a browser without a graphics card: 12.5 s.');
    expect(page).toContain(
      '| [For providers](../tutorials/provider.md) | 650 | 12 | 8 | `stored \\| 2` |\n',
    );
  });

  it('takes the title and the words from the text of a tutorial', () => {
    const text = 'See below.\n\n# For providers: first  steps\n\n## Start\n';
    expect(titleOf(text)).toBe('For providers: first  steps');
    expect(wordsIn(text)).toBe(9);
  });
});
