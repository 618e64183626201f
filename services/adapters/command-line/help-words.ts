import type { Command } from 'commander';

/**
 * The words of a call for help as the parser takes them: `help client add` is `client add --help`.
 * Behind a word that names no command nothing asks for help, so that the parser refuses the word.
 */
export function helpWords(program: Command, args: readonly string[]): readonly string[] {
  let command = program;
  let asks = false;
  const path: string[] = [];
  for (const word of args) {
    if (word.startsWith('-') || command.commands.length === 0) break;
    const next = command.commands.find((each) => each.name() === word);
    if (next !== undefined) {
      command = next;
      path.push(word);
    } else if (word === 'help') {
      asks = true;
    } else if (command.registeredArguments.length > 0) {
      break;
    } else {
      return [...path, word];
    }
  }
  return asks ? [...path, '--help'] : args;
}
