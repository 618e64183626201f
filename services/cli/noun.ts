import { parseCommandLine, type Define } from '../adapters/command-line/command-line.ts';
import type { Report } from './ports.ts';
import { PLAIN } from './print/display.ts';
import { printed } from './print/print.ts';

/** The last line of a command's help, unless it means something else by its exit codes. */
export const DONE = 'Exit codes: 0 done, 1 failed, 2 wrong use.';

/** The same of a command that names something which may not be there. */
export const DONE_OR_NONE = 'Exit codes: 0 done, 1 failed, 2 wrong use, 3 not found.';

/** A report as it is printed where there is no terminal. */
export type PlainReport = Omit<Report, 'lines'> & { readonly lines: readonly string[] };

/** A command of `rastro`: its declaration, and a call of it with words and options. */
export interface Noun<Ports> {
  (ports: Ports, args: readonly string[]): Promise<PlainReport>;
  readonly define: Define<Ports, Report>;
}

/** Makes a command from its declaration. */
export function noun<Ports>(define: Define<Ports, Report>): Noun<Ports> {
  const reportOf = (ports: Ports, args: readonly string[]): Report | Promise<Report> => {
    const parsed = parseCommandLine(define, args);
    if (parsed.kind === 'run') return parsed.work(ports);
    return parsed.kind === 'help' ? usage(parsed.help) : misuse(parsed.sentence);
  };
  const call = async (ports: Ports, args: readonly string[]): Promise<PlainReport> => {
    const report = await reportOf(ports, args);
    return { ...report, lines: printed(report.lines, PLAIN) };
  };
  return Object.assign(call, { define });
}

/** The report of a call for help. */
export function usage(help: string): Report {
  return { value: { usage: help }, lines: [help], exitCode: 0 };
}

/** The report of wrong use: one sentence, exit code 2. The command line says where help is. */
export function misuse(sentence: string): Report {
  return { value: { error: sentence }, lines: [sentence], exitCode: 2, isError: true };
}

/** The report of something that was named and is not there: one sentence, exit code 3. */
export function notFound(sentence: string): Report {
  return { value: { error: sentence }, lines: [sentence], exitCode: 3, isError: true };
}
