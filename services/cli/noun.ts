import { parseCommandLine, type Define } from '../adapters/command-line/command-line.ts';
import type { Report } from './ports.ts';

/** The last line of a command's help, unless it means something else by its exit codes. */
export const DONE = 'Exit codes: 0 done, 1 failed, 2 wrong use.';

/** A command of `rastro`: its declaration, and a call of it with words and options. */
export interface Noun<Ports> {
  (ports: Ports, args: readonly string[]): Promise<Report>;
  readonly define: Define<Ports, Report>;
}

/** Makes a command from its declaration. */
export function noun<Ports>(define: Define<Ports, Report>): Noun<Ports> {
  const call = async (ports: Ports, args: readonly string[]): Promise<Report> => {
    const parsed = parseCommandLine(define, args);
    if (parsed.kind === 'run') return parsed.work(ports);
    return parsed.kind === 'help' ? usage(parsed.help) : misuse(parsed.sentence);
  };
  return Object.assign(call, { define });
}

/** The report of a call for help. */
export function usage(help: string): Report {
  return { value: { usage: help }, lines: [help], exitCode: 0 };
}

/** The report of wrong use: one sentence, exit code 2. The command line adds the help. */
export function misuse(sentence: string): Report {
  return { value: { error: sentence }, lines: [sentence], exitCode: 2 };
}
