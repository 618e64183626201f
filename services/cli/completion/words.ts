import type { Command } from '../../adapters/command-line/command-line.ts';
import { OF_EVERY_COMMAND } from '../print/display.ts';

/** What may come after the words of a command: commands below it, then options. */
export interface Completion {
  /** The words before, without the name of the program: `` or `dlq` or `dlq ls`. */
  readonly after: string;
  readonly commands: readonly string[];
  readonly options: readonly string[];
}

/** What may come after the name of a program and of each command below it. */
export function completionsOf(program: Command): readonly Completion[] {
  const below = (command: Command, after: string): readonly Completion[] => [
    {
      after,
      commands: command.commands.map((each) => each.name()),
      options: [...new Set([
        ...command.options.flatMap(({ long }) => (long === undefined ? [] : [long])),
        ...OF_EVERY_COMMAND, '--help',
      ])],
    },
    ...command.commands.flatMap((each) => below(each, `${after} ${each.name()}`.trim())),
  ];
  return below(program, '');
}
