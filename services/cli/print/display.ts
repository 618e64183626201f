/** How times are printed. */
export type Times = 'local' | 'utc' | 'epoch';

/** What a report is printed on. */
export interface Display {
  /** Columns of the terminal; undefined where tables are as wide as they are. */
  readonly columns: number | undefined;
  readonly colors: boolean;
  readonly times: Times;
}

/** What a command is printed on where it is called without a terminal, as in tests. */
export const PLAIN: Display = { columns: undefined, colors: false, times: 'utc' };

/** The options of every command, and the words that are left without them. */
export interface GivenWords {
  readonly words: readonly string[];
  readonly asJson: boolean;
  readonly isWide: boolean;
  readonly times: Times;
}

/** What of a stream of the process decides how it is printed on. */
export interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Takes the options of every command out of the words; after `--` all are words. */
export function readGivenWords(args: readonly string[]): GivenWords {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const [before, after] = [args.slice(0, end), args.slice(end)];
  const has = (option: string): boolean => before.includes(option);
  return {
    words: [...before.filter((word) => !OF_EVERY_COMMAND.includes(word)), ...after],
    asJson: has('--json'),
    isWide: has('--wide'),
    times: has('--epoch') ? 'epoch' : has('--utc') ? 'utc' : 'local',
  };
}

/** Options that every command takes, and what they do. */
export const OPTIONS_OF_EVERY_COMMAND: ReadonlyMap<string, string> = new Map([
  ['--json', 'one JSON value on standard output'],
  ['--utc', 'times as 2026-11-22T01:45:02.000Z, not by the time zone of this machine'],
  ['--epoch', 'times as milliseconds since 1970'],
  ['--wide', 'tables as wide as they are, not cut to the terminal'],
]);

/** Their names. */
export const OF_EVERY_COMMAND: readonly string[] = [...OPTIONS_OF_EVERY_COMMAND.keys()];

/** What a stream shows: colours and widths are for terminals alone. */
export function displayOf(
  { isTTY = false, columns }: Stream, { isWide, times }: Pick<GivenWords, 'isWide' | 'times'>,
  env: NodeJS.ProcessEnv,
): Display {
  return {
    columns: isTTY && !isWide ? columns : undefined,
    colors: hasColors(isTTY, env),
    times,
  };
}

/** By no-color.org and force-color.org: a variable that is set and not empty decides. */
function hasColors(isTTY: boolean, env: NodeJS.ProcessEnv): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0';
  return isTTY && env['TERM'] !== 'dumb';
}
