import { example } from '../../adapters/command-line/command-line.ts';
import {
  examineRole, KIT_EXIT_CODES, kitOptions, writeReports, type KitTime, type Words,
} from '../../conformance/assemble.ts';
import { noun } from '../noun.ts';

interface ConformancePorts {
  /** Stands behind the options; secrets are better put there. */
  readonly env: NodeJS.ProcessEnv;
  /** The machine's own unless given. */
  readonly time?: KitTime;
}

/** `rastro conformance`: the conformance kit against one role of a running system. */
export const conformanceCommand = noun<ConformancePorts>((command, does) => {
  example(
    kitOptions(command.description(
      'Examines a receiver, a provider or a carrier from the other side of the interface.',
    ))
      .option('--junit <file>', 'writes the report as JUnit XML too')
      .action(does(async ({ env, time }, words: Words & { readonly junit?: string }) => {
        const { junit, ...report } = await examineRole(words, env, time);
        writeReports({ ...report, ...(junit === undefined ? {} : { junit }) }, {
          ...(words.junit === undefined ? {} : { junit: words.junit }),
        });
        return report;
      })),
    'rastro conformance --role receiver --target https://rastro.example --only token',
    KIT_EXIT_CODES,
  );
});
