import { parseCommandLine, repeated } from '../adapters/command-line/command-line.ts';

/** A part of a program, as the tables of gateways and workers have it. */
export interface ProgramPart<Id extends string> {
  readonly id: Id;
  readonly program: string;
  readonly part: string;
  /** True for one that runs only where it is named. */
  readonly isApart?: true;
}

/**
 * The parts that a process runs, in the order of the table: those of the named programs, or single
 * parts by their id; `all` or nothing names every one that does not stand apart. `--only` leaves
 * the parts of these names. Throws when something is named that is not in the table.
 */
export function chooseParts<Id extends string>(
  args: readonly string[], table: readonly ProgramPart<Id>[],
): readonly Id[] {
  const { names: words, only: wanted } = wordsOf(args);
  const isAll = words.length === 0 || words.includes('all');
  const named = table.filter(({ id, program, isApart }) => (
    (isAll && isApart !== true) || words.includes(program) || words.includes(id)
  ));
  const only = wanted.flatMap((names) => names.split(','));
  const unknown = [
    ...words.filter((name) => name !== 'all'
      && !table.some(({ id, program }) => id === name || program === name)),
    ...only.filter((name) => !named.some(({ part }) => part === name)),
  ];
  if (unknown.length > 0) throw new Error(`No ${unknown.join(', ')}. ${usageOf(table)}`);
  return named.filter(({ part }) => only.length === 0 || only.includes(part)).map(({ id }) => id);
}

function usageOf(table: readonly ProgramPart<string>[]): string {
  const programs = [...Map.groupBy(table, ({ program }) => program)];
  return `There are ${programs.map(([program, parts]) =>
    `${program} (${parts.map(({ part }) => part).join(', ')})`).join(', ')} and all.`;
}

function wordsOf(args: readonly string[]): {
  readonly names: readonly string[]; readonly only: readonly string[];
} {
  let words = { names: [] as readonly string[], only: [] as readonly string[] };
  const parsed = parseCommandLine<undefined, undefined>((command, does) => {
    command.name('main.ts').argument('[programs...]', 'programs or ids of parts; all without any')
      .option('--only <parts>', 'runs these parts of them alone', repeated)
      .action(does((_ports, names: string[], { only = [] }: { only?: readonly string[] }) => {
        words = { names, only };
        return undefined;
      }));
  }, args);
  if (parsed.kind === 'run') void parsed.work(undefined);
  else throw new Error(parsed.kind === 'misuse' ? `${parsed.sentence}\n${parsed.help}` : parsed.help);
  return words;
}
