import { describe, expect, it } from 'vitest';
import {
  example, numberFrom, oneOf, parseCommandLine, repeated, someOf, wholeFrom, type Define,
} from '../../../services/adapters/command-line/command-line.ts';

type Ran = readonly unknown[];

const tool: Define<string, Ran> = (program, does) => {
  program.name('tool').description('A tool.');
  example(program.command('load').argument('<name>', 'what to load').argument('[more...]', 'more')
    .requiredOption('--size <n>', 'how much', wholeFrom(1, 10))
    .option('--kind <kind>', 'of what kind', oneOf(['big', 'small'] as const), 'big')
    .option('--ratio <r>', 'a part', numberFrom(0, 1), 0.5)
    .option('--tag <tag>', 'a tag', repeated)
    .option('--color <colors>', 'some colors', someOf(['red', 'green', 'dark-blue'] as const))
    .option('--mark <mark>', 'a mark', repeated, [])
    .option('--dry-run', 'only says it', false)
    .action(does((port, name: string, more: readonly string[], options: object) => (
      [port, name, more, { ...options }]
    ))),
  'tool load stone --size 3', 'Exit codes: 0 done, 1 failed, 2 wrong use.');
};

const shop: Define<undefined, undefined> = (program, does) => {
  program.name('shop').command('store').command('add').argument('<name>', 'what to add')
    .action(does(() => undefined));
};

const parse = (...args: readonly string[]) => parseCommandLine(tool, args);

describe('a command line', () => {
  it('runs nothing before it is asked to, then gives words and options to the work', async () => {
    const parsed = parse(
      'load', 'stone', 'a', 'b', '--size', '3', '--tag', 'x', '--tag', 'y', '--dry-run',
    );
    if (parsed.kind !== 'run') throw new Error(parsed.kind);
    expect(await parsed.work('port')).toEqual(['port', 'stone', ['a', 'b'], {
      size: 3, kind: 'big', ratio: 0.5, tag: ['x', 'y'], mark: [], dryRun: true,
    }]);
    expect(parsed.called).toBe('tool load');
  });

  it.each([['--help'], ['help'], ['load', '--help'], ['help', 'load']])(
    'gives the help for %j %j', (...args) => {
      expect(parse(...args)).toMatchObject({ kind: 'help', help: expect.stringMatching(/^Usage: tool/) });
    },
  );

  it('shows options with their defaults, the example and the exit codes in the help', () => {
    const parsed = parse('load', '--help');
    const help = parsed.kind === 'help' ? parsed.help : '';
    expect(help).toMatch(/--kind <kind> +of what kind \(default big\)/);
    expect(help).toMatch(/--mark <mark> +a mark\n/);
    expect(help).toMatch(/--dry-run +only says it\n/);
    expect(help).toMatch(/Example:\n {2}tool load stone --size 3\n\nExit codes: 0 done/);
  });

  it.each([
    [['load', 'stone', '--size', '3', '--wings'], /^Unknown option '--wings'\.$/],
    [['load', 'stone'], /^Required option '--size <n>' not specified\.$/],
    [['load', '--size', '3'], /^Missing required argument 'name'\.$/],
    [['load', 'stone', '--size', '0'], /must be a number from 1 to 10\.$/],
    [['load', 'stone', '--size', '11'], /must be a number from 1 to 10\.$/],
    [['load', 'stone', '--size', '1.5'], /must be a whole number from 1 to 10\.$/],
    [['load', 'stone', '--size', ''], /must be a number from 1 to 10\.$/],
    [['load', 'stone', '--size', '1', '--ratio', 'x'], /must be a number from 0 to 1\.$/],
    [['load', 'stone', '--size', '1', '--kind', 'huge'], /must be one of big, small\.$/],
    [['load', 'stone', '--size', '1', '--kind', 'smal'], /one of big, small \(did you mean small\?\)\.$/],
    [['load', 'stone', '--size', '1', '--color', 'red,pink'], /'pink' must be one of red, green, dark-blue\.$/],
    [
      ['load', 'stone', '--size', '1', '--color', 'red', '--color', 'dark_blue'],
      /'dark_blue' must be one of red, green, dark-blue \(did you mean dark-blue\?\)\.$/,
    ],
    [['unload'], /^Unknown command 'unload' \(Did you mean load\?\)$/],
    [[], /^Say what to do\.$/],
  ])('gives one sentence and the help for %j', (args, sentence) => {
    const parsed = parse(...args);
    expect(parsed.kind).toBe('misuse');
    expect(parsed).toMatchObject({
      sentence: expect.stringMatching(sentence),
      help: expect.stringMatching(args[0] === 'unload' ? /^See tool --help\.$/ : /^Usage: tool/),
    });
  });

  it('takes words of a list with commas, in one option or several', async () => {
    const parsed = parse('load', 'x', '--size', '1', '--color', 'red, green,', '--color', 'dark-blue');
    if (parsed.kind !== 'run') throw new Error(parsed.kind);
    expect((await parsed.work('port')).at(-1)).toMatchObject({ color: ['red', 'green', 'dark-blue'] });
  });

  it.each([
    [['help', 'store', 'add'], 'Usage: shop store add '],
    [['store', 'help', 'add'], 'Usage: shop store add '],
    [['help', 'store'], 'Usage: shop store '],
    [['help', 'help'], 'Usage: shop '],
    [['store', 'add', '--help'], 'Usage: shop store add '],
  ])('gives the help of the command that %j names', (args, first) => {
    const parsed = parseCommandLine(shop, args);
    expect(parsed).toMatchObject({ kind: 'help', help: expect.stringContaining(first) });
    expect(parsed.kind === 'help' && parsed.help.startsWith(first)).toBe(true);
  });

  it.each([
    [['help', 'stor'], "Unknown command 'stor' (Did you mean store?)", 'See shop --help.'],
    [['stor', '--help'], "Unknown command 'stor' (Did you mean store?)", 'See shop --help.'],
    [['help', 'store', 'ad'], "Unknown command 'ad' (Did you mean add?)", 'See shop store --help.'],
    [['store', 'help', 'ad'], "Unknown command 'ad' (Did you mean add?)", 'See shop store --help.'],
    [['store', 'ad', '-h'], "Unknown command 'ad' (Did you mean add?)", 'See shop store --help.'],
  ])('says that %j names no command', (args, sentence, help) => {
    expect(parseCommandLine(shop, args)).toEqual({ kind: 'misuse', sentence, help });
  });

  it('takes help for a word of a command that has none below it', () => {
    const parsed = parse('load', 'help', '--size', '1');
    expect(parsed.kind).toBe('run');
  });

  it.each([['1'], ['10']])('takes a number at its limit: %s', (size) => {
    expect(parse('load', 'stone', '--size', size).kind).toBe('run');
  });
});
