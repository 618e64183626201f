import type { Command } from 'commander';

/** A command as it was called: what it is called, and the words and options that it was given. */
export interface NamedCommand {
  /** Its name below the program, such as `person show`. */
  readonly path: string;
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** Reads a command that was parsed; options that a command above it took count too. */
export function namedCommand(command: Command): NamedCommand {
  return {
    path: pathOf(command),
    words: command.args,
    options: command.optsWithGlobals(),
  };
}

/** Name of a command below the program. */
export function pathOf(command: Command): string {
  const above = command.parent === null || command.parent.parent === null
    ? [] : [pathOf(command.parent)];
  return [...above, command.name()].join(' ');
}

/**
 * Every command that can be run, at and below one: those without commands below them, and those
 * that take words or options themselves. Options of the program are those of every command.
 */
export function runnableCommands(command: Command): readonly Command[] {
  const isRunnable = command.commands.length === 0
    || command.registeredArguments.length > 0
    || (command.parent !== null && command.options.length > 0);
  return [...isRunnable ? [command] : [], ...command.commands.flatMap(runnableCommands)];
}

/** Adds an option, unless the command has one of this name. */
export function addOption(command: Command, flags: string, description: string): void {
  const [name] = flags.split(' ');
  if (command.options.some(({ long }) => long === name)) return;
  command.option(flags, description);
}
