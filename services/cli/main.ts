import { parseCommandLine } from '../adapters/command-line/command-line.ts';
import { osUser } from '../adapters/system/os-user.ts';
import { misuse, usage } from './noun.ts';
import type { Report } from './ports.ts';
import { rastro } from './assemble-program.ts';

const args = process.argv.slice(2);
const asJson = args.includes('--json');

/** Runs one command; wrong use ends with its help. */
async function main(): Promise<Report> {
  const words = args.filter((each) => each !== '--json');
  const parsed = parseCommandLine(rastro, words.length === 0 ? ['--help'] : words);
  if (parsed.kind === 'help') return usage(parsed.help);
  const report = parsed.kind === 'misuse'
    ? misuse(parsed.sentence) : await parsed.work({ env: process.env, asJson, osUser: osUser() });
  const help = report.exitCode === 2 ? ['', parsed.help] : [];
  return { ...report, lines: [...report.lines, ...help] };
}

function show(report: Report): void {
  process.exitCode = report.exitCode;
  // Without lines, standard output holds what was asked for already.
  if (report.lines.length === 0) return;
  const text = asJson ? JSON.stringify(report.value) : report.lines.join('\n');
  (report.exitCode === 2 ? process.stderr : process.stdout).write(`${text}\n`);
}

try {
  show(await main());
} catch (error) {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(asJson ? `${JSON.stringify({ error: text })}\n` : `${text}\n`);
  process.exitCode = 1;
}
process.exit();
