#!/usr/bin/env node
/** The program of the package `rastro-conformance`: the kit where there is no platform. */
import product from '../../package.json' with { type: 'json' };
import { example, parseCommandLine } from '../adapters/command-line/command-line.ts';
import { systemClock, systemPause } from '../adapters/system/system.ts';
import { examineRole, KIT_EXIT_CODES, kitOptions, writeReports, type Words } from './assemble.ts';
import { misuse, type KitReport } from './report.ts';

interface PackageWords extends Words {
  readonly json?: string;
  readonly junit?: string;
}

const time = {
  clock: systemClock, pause: systemPause,
  print: (sentence: string) => { process.stderr.write(`${sentence}\n`); },
};

const parsed = parseCommandLine<undefined, KitReport>((command, does) => {
  example(
    kitOptions(command.name('rastro-conformance').version(product.version)
      .description('Examines a receiver, a provider or a carrier from the other side of the interface.'))
      .option('--json <file>', 'writes the report as JSON')
      .option('--junit <file>', 'writes the report as JUnit XML')
      .action(does(async (_ports, words: PackageWords) => {
        const report = await examineRole(words, process.env, time);
        writeReports(report, words);
        return report;
      })),
    'rastro-conformance --role receiver --target https://rastro.example --level must',
    KIT_EXIT_CODES,
  );
}, process.argv.slice(2));

if (parsed.kind === 'help') {
  process.stdout.write(`${parsed.help}\n`);
} else {
  const { lines, exitCode } = parsed.kind === 'run'
    ? await parsed.work(undefined)
    : misuse(`${parsed.sentence} See rastro-conformance --help.`);
  const stream = exitCode >= 2 && lines.length === 1 ? process.stderr : process.stdout;
  stream.write(`${lines.join('\n')}\n`);
  process.exitCode = exitCode;
}
