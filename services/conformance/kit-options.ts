import { oneOf, wholeFrom, type Command } from '../adapters/command-line/command-line.ts';
import { LEVELS, ROLES } from './options.ts';
import { PROFILES } from './profiles.ts';

/** The meaning of the exit codes of every command that examines one role. */
export const KIT_EXIT_CODES = 'Exit codes: 0 every must holds, 1 one does not, 2 wrong use, 3 could not run'
  + ' (no connection, or not in time).';

/** Declares the options of an examination; each command adds where its reports go. */
export function kitOptions(command: Command): Command {
  return command
    .requiredOption('--role <role>', ROLES.join(', '), oneOf(ROLES))
    .option('--level <level>', 'only checks of this level: must (the contract), or should (our choices'
      + ' where the contract is silent)', oneOf(LEVELS))
    .option('--profile <profile>', 'what decides: interface (every must), or rastro (every should'
      + ' too, which is advice otherwise)', oneOf(PROFILES), 'interface')
    .option('--target <url>', 'whom to examine (RASTRO_URL)')
    .option('--token-target <url>', 'who gives tokens, when it is another (RASTRO_TOKEN_URL)')
    .option('--client-id <id>', 'as whom to ask for tokens (RASTRO_CLIENT_ID)')
    .option('--client-secret <secret>', 'its secret (RASTRO_CLIENT_SECRET)')
    .option('--provider <name>', 'provider to send for (RASTRO_PROVIDER, or demo)')
    .option('--country <id>', 'country to send for (RASTRO_COUNTRY, or US)')
    .option('--command-token <token>', 'token of commands (RASTRO_PROVIDER_COMMAND_TOKEN)')
    .option('--final-code <code>', 'a code that ends a shipment there (RASTRO_FINAL_CODE)')
    .option('--tracking-number <number>', 'a shipment with at least three notifications')
    .option('--tokens-per-minute <number>', 'token requests in a minute; 0 for as fast as it goes',
      wholeFrom(0, 60_000), 10)
    .option('--deadline <seconds>', 'for all checks together, waits after 429 and 500 included',
      wholeFrom(1, 86_400), 900)
    .option('--only <prefix>', 'only checks whose id begins so', '')
    .option('--list', 'lists the checks and sends nothing', false);
}
