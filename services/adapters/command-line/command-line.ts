import { Command, CommanderError, InvalidArgumentError, type Option } from 'commander';
import { nearName } from '../../kernel/near-name.ts';
import { helpWords } from './help-words.ts';

export type { Command } from 'commander';

/** Turns what a command does into the handler of its words and options. */
export type Does<Ports, Answer> = <Given extends readonly unknown[]>(
  work: (ports: Ports, ...given: Given) => Answer | Promise<Answer>,
) => (...given: Given) => void;

/** Declares the options, arguments and subcommands of one command. */
export type Define<Ports, Answer> = (command: Command, does: Does<Ports, Answer>) => void;

/** What the words of a command line come to; nothing has run yet. */
export type Parsed<Ports, Answer> =
  | {
    readonly kind: 'run';
    readonly work: (ports: Ports) => Answer | Promise<Answer>;
    /** The command that was named, as it is called. */
    readonly called: string;
  }
  | { readonly kind: 'help'; readonly help: string }
  | { readonly kind: 'misuse'; readonly sentence: string; readonly help: string };

const COLUMNS = 100;

/** Reads a command line by its declaration. Wrong words give one sentence and the help. */
export function parseCommandLine<Ports, Answer>(
  define: Define<Ports, Answer>, args: readonly string[],
): Parsed<Ports, Answer> {
  const text = { out: '', err: '' };
  let parsed: Parsed<Ports, Answer> | undefined;
  const command = quietCommand(text);
  define(command, (work) => (...given) => {
    const named = given.at(-1) as Command;
    parsed = { kind: 'run', work: (ports) => work(ports, ...given), called: calledOf(named) };
  });
  pointToHelp(command);
  try {
    command.parse(helpWords(command, args), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'help', help: text.out.trimEnd() };
    return { kind: 'misuse', sentence: sentenceOf(error), help: text.err.trim() };
  }
  return parsed ?? { kind: 'help', help: helpOf(command) };
}

/** A wrong word among many commands is answered by where their list is, not by all of it. */
function pointToHelp(command: Command): void {
  if (command.commands.length === 0) return;
  command.showHelpAfterError(`See ${calledOf(command)} --help.`);
  command.commands.forEach(pointToHelp);
}

function calledOf(command: Command): string {
  return command.parent === null ? command.name() : `${calledOf(command.parent)} ${command.name()}`;
}

/** The help of a command and of everything below it. */
export function wholeHelp(command: Command): string {
  return [helpOf(command), ...command.commands.map(wholeHelp)].join('\n\n');
}

/** Builds a command by its declaration, to read its help. */
export function commandOf<Ports, Answer>(define: Define<Ports, Answer>): Command {
  const command = quietCommand({ out: '', err: '' });
  define(command, () => () => {});
  return command;
}

/** Adds an example and the meaning of the exit codes below the options. */
export function example(command: Command, text: string, exitCodes: string): Command {
  return command.addHelpText('after', `\nExample:\n  ${text}\n\n${exitCodes}`);
}

/** An option that may be repeated. */
export function repeated(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...before ?? [], value];
}

/** A number of an option, both limits included. */
export function numberFrom(least: number, most = Infinity): (text: string) => number {
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a number ${range}.`);
  };
}

/** A whole number of an option, both limits included. */
export function wholeFrom(least: number, most = 999_999_999): (text: string) => number {
  const number = numberFrom(least, most);
  return (text) => {
    const value = number(text);
    if (/^\d+$/.test(text)) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** An option that takes one of a few words. */
export function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((each) => each === text);
    if (word !== undefined) return word;
    throw new InvalidArgumentError(`It must be ${choice(text, words)}`);
  };
}

/** An option that takes some of a few words: repeated, or several with commas between them. */
export function someOf<Word extends string>(
  words: readonly Word[],
): (text: string, before: readonly Word[] | undefined) => readonly Word[] {
  return listOf((text) => words.find((each) => each === text)
    ?? wrongValue(`'${text}' must be ${choice(text, words)}`));
}

/** An option of a list: repeated, or several values with commas between them. */
export function listOf<Value>(
  valueOf: (text: string) => Value,
): (text: string, before: readonly Value[] | undefined) => readonly Value[] {
  return (text, before = []) => [
    ...before, ...text.split(',').map((each) => each.trim()).filter((each) => each !== '').map(valueOf),
  ];
}

function choice(sent: string, words: readonly string[]): string {
  const near = nearName(sent, words);
  return `one of ${words.join(', ')}${near === undefined ? '' : ` (did you mean ${near}?)`}.`;
}

/** Throws what the parser reports as a wrong value of the option that is being read. */
export function wrongValue(sentence: string): never {
  throw new InvalidArgumentError(sentence);
}

/** A command that throws instead of ending the process, and prints nothing itself. */
function quietCommand(text: { out: string; err: string }): Command {
  return new Command()
    .exitOverride()
    .configureOutput({
      writeOut: (part) => { text.out += part; },
      writeErr: (part) => { text.err += part; },
      outputError: () => {},
      getOutHelpWidth: () => COLUMNS,
      getErrHelpWidth: () => COLUMNS,
    })
    .configureHelp({ optionDescription, subcommandTerm })
    .showHelpAfterError()
    .allowExcessArguments(false);
}

/** The default beside the text, unless it says nothing or the text has it already. */
function optionDescription({ description, defaultValue }: Option): string {
  const text = String(defaultValue);
  const isSaid = ['undefined', 'false', '', 'Infinity'].includes(text)
    || description.includes('(default');
  return isSaid ? description : `${description} (default ${text})`;
}

/** A command with its words; that it takes options is said by its own help. */
function subcommandTerm(command: Command): string {
  const words = command.registeredArguments.map((each) => {
    const name = `${each.name()}${each.variadic ? '...' : ''}`;
    return each.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...words].join(' ');
}

/** The help of one command. */
export function helpOf(command: Command): string {
  let text = '';
  const before = { ...command.configureOutput() };
  command.configureOutput({ writeOut: (part) => { text += part; } });
  command.outputHelp();
  command.configureOutput(before);
  return text.trimEnd();
}

/** `error: unknown option '--nope'` as a sentence. */
function sentenceOf({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'Say what to do.';
  const words = message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
  const sentence = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return /[.?)]$/.test(sentence) ? sentence : `${sentence}.`;
}
