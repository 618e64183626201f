import { describe, expect, it } from 'vitest';
import { displayOf, PLAIN, readGivenWords } from '../../../services/cli/print/display.ts';
import { at, line, tableOf, toned } from '../../../services/cli/print/lines.ts';
import { membersOf } from '../../../services/cli/print/members.ts';
import { printed, timeText } from '../../../services/cli/print/print.ts';

const AT_MS = Date.UTC(2026, 10, 22, 1, 45, 2, 7);
const ISO = '2026-11-22T01:45:02.007Z';
const ID = '01890f4e-0000-7000-8000-000000000000';
const TERMINAL = { isTTY: true, columns: 40 };
const WORDS = { isWide: false, times: 'utc' } as const;

describe('a table', () => {
  const table = tableOf(['AT', 'RECORDS', 'DEVICE', 'REASON'], [
    [at(AT_MS), 12, ID, 'sends five hundred a second'], [at(AT_MS), 1_234_567, 'x', ''],
  ]);

  it('is as wide as it is where there is no terminal', () => {
    expect(printed(table, PLAIN)).toEqual([
      `AT                        RECORDS  DEVICE                                REASON`,
      `${ISO}       12  ${ID}  sends five hundred a second`,
      `${ISO}  1234567  x`,
    ]);
  });

  it('fits the terminal: texts are cut, the widest first, numbers and times never', () => {
    expect(printed(table, { ...PLAIN, columns: 70 })).toEqual([
      'AT                        RECORDS  DEVICE            REASON',
      `${ISO}       12  01890f4e-0000-7…  sends five hundr…`,
      `${ISO}  1234567  x`,
    ]);
    for (const columns of [200, 99, 80, 66]) {
      const widths = printed(table, { ...PLAIN, columns }).map(({ length }) => length);
      expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
    }
  });

  it('is not cut to nothing on a terminal of a few columns', () => {
    expect(printed(table, { ...PLAIN, columns: 5 })[1]).toContain('01890f4e-…');
  });

  it('is cut for a terminal alone, and not with --wide', () => {
    expect(displayOf(TERMINAL, WORDS, {}).columns).toBe(40);
    expect(displayOf(TERMINAL, { ...WORDS, isWide: true }, {}).columns).toBeUndefined();
    expect(displayOf({ columns: 40 }, WORDS, {}).columns).toBeUndefined();
  });
});

describe('a time', () => {
  it.each([['utc', ISO], ['epoch', String(AT_MS)]] as const)('with --%s is %s', (times, text) => {
    expect(printed([line`until ${at(AT_MS)}.`], { ...PLAIN, times })).toEqual([`until ${text}.`]);
  });

  it('is local time with its distance from UTC otherwise, the same moment', () => {
    const text = timeText(AT_MS, 'local');
    expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d$/);
    expect(Date.parse(text.replace(' ', 'T').replace(' ', ''))).toBe(AT_MS - AT_MS % 1_000);
  });

  it('is one wherever a member is called so', () => {
    expect(printed(membersOf({ state: 'sending', last_at_ms: AT_MS, fence: 3 }), PLAIN)).toEqual([
      'state    sending', `last_at  ${ISO}`, 'fence    3',
    ]);
  });
});

describe('colours', () => {
  const isColored = (stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean => {
    const [text = ''] = printed([line`${toned('bad', 'late')}`], displayOf(stream, WORDS, env));
    return text !== 'late';
  };

  it.each([
    ['a terminal', { isTTY: true }, {}, true],
    ['a file', {}, {}, false],
    ['NO_COLOR', { isTTY: true }, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    ['an empty NO_COLOR', { isTTY: true }, { NO_COLOR: '' }, true],
    ['a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, false],
    ['FORCE_COLOR', {}, { FORCE_COLOR: '1' }, true],
    ['FORCE_COLOR=0', { isTTY: true }, { FORCE_COLOR: '0' }, false],
  ])('follow %s', (_what, stream, env, wanted) => {
    expect(isColored(stream, env)).toBe(wanted);
  });

  it('change no width of a table', () => {
    const table = tableOf(['GROUP', 'SECONDS'], [['a', toned('bad', 61)], ['b', 3]]);
    const [, late] = printed(table, { ...PLAIN, colors: true });
    expect(late).toMatch(/^a {6}\S+ {5}61\S+$/);
  });
});

describe('the options of every command', () => {
  it('are taken out of the words, but for those after --', () => {
    expect(readGivenWords(['lag', '--json', '--utc', '--', '--wide'])).toEqual({
      words: ['lag', '--', '--wide'], asJson: true, isWide: false, times: 'utc',
    });
    expect(readGivenWords(['lag', '--epoch', '--wide'])).toMatchObject({
      words: ['lag'], isWide: true, times: 'epoch',
    });
    expect(readGivenWords([])).toMatchObject({ asJson: false, times: 'local' });
  });
});
