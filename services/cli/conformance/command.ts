import { example, oneOf } from '../../adapters/command-line/command-line.ts';
import { examineRole, PROFILES, ROLES, type Words } from '../../conformance/assemble.ts';
import { noun } from '../noun.ts';

interface ConformancePorts {
  /** Stands behind the options; secrets are better put there. */
  readonly env: NodeJS.ProcessEnv;
}

/** `rastro conformance`: the conformance kit against one role of a running system. */
export const conformanceCommand = noun<ConformancePorts>((command, does) => {
  example(command
    .description('Examines a receiver, a provider or a carrier from the other side of the interface.')
    .requiredOption('--role <role>', ROLES.join(', '), oneOf(ROLES))
    .option('--profile <profile>', 'what decides: interface (the contract alone), or rastro (also'
      + ' our choices, which are advice otherwise)', oneOf(PROFILES), 'interface')
    .option('--target <url>', 'whom to examine (RASTRO_URL)')
    .option('--token-target <url>', 'who gives tokens, when it is another (RASTRO_TOKEN_URL)')
    .option('--client-id <id>', 'as whom to ask for tokens (RASTRO_CLIENT_ID)')
    .option('--client-secret <secret>', 'its secret (RASTRO_CLIENT_SECRET)')
    .option('--provider <name>', 'provider to send for (RASTRO_PROVIDER, or demo)')
    .option('--country <id>', 'country to send for (RASTRO_COUNTRY, or US)')
    .option('--command-token <token>', 'token of commands (RASTRO_PROVIDER_COMMAND_TOKEN)')
    .option('--final-code <code>', 'a code that ends a shipment there (RASTRO_FINAL_CODE)')
    .option('--tracking-number <number>', 'a shipment with at least three notifications')
    .option('--only <prefix>', 'only checks whose id begins so', '')
    .option('--list', 'lists the checks and sends nothing', false)
    .action(does(({ env }, words: Words) => examineRole(words, env))),
  'rastro conformance --role receiver --target https://rastro.example --only token',
  'Exit codes: 0 conforms to the profile, 1 does not, 2 wrong use.');
});
