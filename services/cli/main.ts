import { parseCommandLine } from '../adapters/command-line/command-line.ts';
import { osUser } from '../adapters/system/os-user.ts';
import { misuse, usage } from './noun.ts';
import type { Report } from './ports.ts';
import { rastroFor } from './assemble-program.ts';
import { displayOf, readGivenWords } from './print/display.ts';
import { toned } from './print/lines.ts';
import { printed } from './print/print.ts';

const given = readGivenWords(process.argv.slice(2));

/** Runs one command; wrong use ends with its help, or with where that is. */
async function main(): Promise<Report> {
  const { words, asJson } = given;
  const parsed = parseCommandLine(await rastroFor(words), asked(words));
  if (parsed.kind === 'help') return usage(parsed.help);
  if (parsed.kind === 'misuse') return withHelp(misuse(parsed.sentence), parsed.help);
  const report = await parsed.work({
    env: process.env, asJson, osUser: osUser(), print: showAgain,
  });
  return report.exitCode === 2 && report.isError === true
    ? withHelp(report, `See ${parsed.called} --help.`) : report;
}

/** Alone the name is a call for help, and `version` what other programs call --version. */
function asked(words: readonly string[]): readonly string[] {
  if (words.length === 0) return ['--help'];
  return words.length === 1 && words[0] === 'version' ? ['--version'] : words;
}

function withHelp(report: Report, help: string): Report {
  return { ...report, lines: [...report.lines, '', help] };
}

function show(report: Report): void {
  process.exitCode = report.exitCode;
  // Without lines, standard output holds what was asked for already.
  if (report.lines.length === 0) return;
  const stream = report.isError === true ? process.stderr : process.stdout;
  stream.write(`${given.asJson ? JSON.stringify(report.value) : textOf(report, stream)}\n`);
}

/** On a terminal a report takes the place of the one before. */
function showAgain(report: Report): void {
  if (process.stdout.isTTY && !given.asJson) process.stdout.write('\u001b[H\u001b[J');
  show(report);
}

function textOf({ lines, isError }: Report, stream: NodeJS.WriteStream): string {
  const [first, ...more] = lines;
  const marked = isError === true && typeof first === 'string'
    ? [{ parts: [toned('bad', first)] }, ...more] : lines;
  return printed(marked, displayOf(stream, given, process.env)).join('\n');
}

try {
  show(await main());
} catch (error) {
  const sentence = error instanceof Error ? error.message : String(error);
  show({ value: { error: sentence }, lines: [sentence], exitCode: 1, isError: true });
}
process.exit();
