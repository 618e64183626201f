import product from '../../package.json' with { type: 'json' };
import { addOption, runnableCommands } from '../adapters/command-line/named-command.ts';
import { bare, COMMANDS, entry, PLAN, type CommandEntry } from './assemble-commands.ts';
import { addAuditOptions } from './audit/record-command.ts';
import { OPTIONS_OF_EVERY_COMMAND } from './print/display.ts';
import type { Program } from './within.ts';

const AFTER = `
Examples:
  rastro lag --max-seconds 60    is a worker late?
  rastro device ID               why is this truck not on the map?
  rastro dlq ls                  what could not be applied?

Exit codes: 0 done and in order, 1 failed or found something wrong, 2 wrong use, 3 not found.`;

/** Completes the words of all commands, and so comes after them. */
const COMPLETION = entry(PLAN, 'completion', 'completes the words of this program in a shell',
  async () => (await import('./completion/command.ts')).completionCommand,
  () => bare({ program: wholeRastro }));

/** All of them in one line, for the help of one command. */
const JSON_OPTION = 'one JSON value (so --utc, --epoch and --wide: rastro --help)';

const ALL: readonly CommandEntry[] = [...COMMANDS, COMPLETION];

interface Loaded extends CommandEntry {
  readonly define: Program;
}

/** The program for one command line: all of the command that it names, of others the name. */
export async function rastroFor(words: readonly string[]): Promise<Program> {
  const names = words.filter((word) => !word.startsWith('-'));
  const named = names[0] === 'help' ? names[1] : names[0];
  return programOf(await Promise.all(ALL.map(async (each) => (
    each.name === named ? loaded(each) : each
  ))));
}

/** The program with everything of all its commands. */
export async function wholeRastro(): Promise<Program> {
  return programOf(await Promise.all(ALL.map(loaded)));
}

async function loaded(named: CommandEntry): Promise<Loaded> {
  return { ...named, define: await named.load() };
}

/** No command opens anything before its words are right. */
function programOf(entries: readonly (CommandEntry | Loaded)[]): Program {
  return (program, does) => {
    program.name('rastro').description('What people who run the platform do by hand.')
      .version(product.version, '--version', 'the version of this program')
      .helpOption('-h, --help', 'how this, or a command, is used')
      .commandsGroup('More:').helpCommand('help [command]', 'how a command is used')
      .addHelpText('after', AFTER);
    program.optionsGroup('Options of every command:');
    for (const [flags, about] of OPTIONS_OF_EVERY_COMMAND) program.option(flags, about);
    for (const each of entries) {
      const command = program.command(each.name).helpGroup(each.group);
      if ('define' in each) {
        each.define(command, does);
        addAuditOptions(command);
        for (const one of runnableCommands(command)) addOption(one, '--json', JSON_OPTION);
      }
      command.summary(each.summary);
    }
    // In the list of commands their words and options are noise.
    program.configureHelp({ ...program.configureHelp(), subcommandTerm: (each) => each.name() });
  };
}
