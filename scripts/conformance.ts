/** `npm run conformance`: the conformance kit against the whole system, in all three roles. */
import { examine, summary, type Counterpart } from './conformance/examine.ts';
import { readOptions, USAGE } from './conformance/options.ts';
import { withPrivateSystem } from '../infra/local/processes/private-system.ts';
import type { System } from '../infra/local/processes/system.ts';
import { runMain } from './suite/run-main.ts';

/** Three roles in one minute take more tokens than a client needs in ten. */
const TOKEN_QUOTA = {
  RASTRO_TOKEN_REQUESTS_PER_MINUTE: '1000', RASTRO_TOKEN_REQUESTS_BURST: '1000',
};

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    print(USAGE);
    return 0;
  }
  const { target, providerTarget, port, only, finalCode } = options;
  const judge = async (counterpart: Counterpart): Promise<number> => {
    const { line, exitCode } = summary(await examine(counterpart, only, print));
    print(`\n${line}\n`);
    return exitCode;
  };
  if (target === undefined) {
    return withPrivateSystem({ port, gatewaySettings: TOKEN_QUOTA }, (system, signal) =>
      Promise.race([judge(counterpartOf(system, finalCode)), whenTold(signal)]));
  }
  const provider = providerTarget === undefined ? {} : { provider: providerTarget };
  return judge({
    targets: { receiver: target, carrier: target, ...provider },
    tokenTarget: target, finalCode, env: process.env,
  });
}

function counterpartOf(system: System, finalCode: string): Counterpart {
  const { url, providerUrl, identity, around } = system;
  return {
    targets: { receiver: url, carrier: url, provider: providerUrl },
    tokenTarget: url,
    finalCode,
    env: {
      RASTRO_CLIENT_ID: identity.clientId,
      RASTRO_CLIENT_SECRET: identity.clientSecret,
      RASTRO_PROVIDER: identity.provider,
      RASTRO_COUNTRY: identity.country,
      RASTRO_PROVIDER_COMMAND_TOKEN: around.secrets.commandToken,
    },
  };
}

function whenTold(signal: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => { resolve(130); }, { once: true });
  });
}

function print(text: string): void {
  process.stdout.write(text);
}

await runMain(main);
