/** `npm run conformance`: the conformance kit against the whole platform, in all three roles. */
import { resolve } from 'node:path';
import { withPrivateStack } from '../infra/local/processes/private-stack.ts';
import { example, oneOf, wholeFrom } from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { PROFILES, type Profile } from '../services/conformance/profiles.ts';
import { counterpartOf } from './conformance/counterpart.ts';
import { examine, summary, type Counterpart } from './conformance/examine.ts';
import { packAndSay } from './conformance/pack/pack.ts';
import {
  runAllSettings, SETTINGS, type SettingsName,
} from './conformance/settings/all-settings.ts';
import { firstSignal } from './suite/signals.ts';

interface Words {
  readonly target?: string;
  readonly providerTarget?: string;
  readonly finalCode: string;
  readonly only: string;
  readonly profile?: Profile;
  readonly settings?: SettingsName;
  readonly pack?: string;
  readonly drive: number;
  readonly port: number;
}

await runScript((command, does) => {
  example(command.name('npm run conformance --')
    .description('Examines Rastro from the other side, in all three roles of the interface.')
    .option('--target <url>', 'a running platform instead of a private one; its credentials come from'
      + ' RASTRO_CLIENT_ID, RASTRO_CLIENT_SECRET, RASTRO_PROVIDER and RASTRO_COUNTRY')
    .option('--provider-target <url>', 'its provider, with RASTRO_PROVIDER_COMMAND_TOKEN; that role is'
      + ' left out when absent')
    .option('--final-code <code>', 'a code that ends a shipment there', 'EX-DELIVERED')
    .option('--profile <profile>', 'what decides the exit code: interface or rastro; by default both for'
      + ' the private platform, interface for --target', oneOf(PROFILES))
    .option('--settings <name>', 'with the settings of an overlay, of the compose file, or all of them,'
      + ' on the local stack; needs Go for Kustomize', oneOf(SETTINGS))
    .option('--drive <seconds>', 'of --settings: how long the reference provider drives before its'
      + ' ledger is compared; 0 for no drive', wholeFrom(0, 3_600), 15)
    .option('--pack <folder>', 'makes the archive of the package rastro-conformance there, and examines'
      + ' nothing')
    .option('--only <prefix>', 'only the checks whose id begins so', '')
    .option('--port <p>', 'the private platform listens on P to P+24', wholeFrom(1_024, 65_500), 18_300)
    .action(does((_ports, words: Words) => run(words))),
  'npm run conformance -- --only token',
  'Exit codes: 0 conforms, 1 a check failed (or, without --target, was skipped), 2 wrong use.');
});

function run(words: Words): Promise<number> {
  const { target, providerTarget, port, only, finalCode, profile, settings, drive, pack } = words;
  if (pack !== undefined) return packAndSay(resolve(import.meta.dirname, '..'), pack, print);
  if (settings !== undefined) {
    return runAllSettings(
      settings, { port, only, driveSeconds: drive, print }, firstSignal().signal,
    );
  }
  const isForeign = target !== undefined;
  const decides = profile !== undefined ? [profile] : isForeign ? ['interface'] as const : PROFILES;
  const check = async (counterpart: Counterpart): Promise<number> => {
    const widest = decides.at(-1) ?? 'interface';
    const totals = await examine(counterpart, { only, profile: widest }, print);
    const { lines, exitCode } = summary(totals, { decides, isForeign });
    print(`\n${lines.join('\n')}\n`);
    return exitCode;
  };
  if (target === undefined) {
    return withPrivateStack({ port }, (local, signal) =>
      Promise.race([check(counterpartOf(local, finalCode)), whenAborted(signal)]));
  }
  const provider = providerTarget === undefined ? {} : { provider: providerTarget };
  return check({
    targets: { receiver: target, carrier: target, ...provider },
    tokenTarget: target, finalCode, env: process.env,
  });
}

function whenAborted(signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => { resolve(130); }, { once: true });
  });
}

function print(text: string): void {
  process.stdout.write(text);
}
