import type { LocalStack } from '../../infra/local/processes/local-stack.ts';
import type { Counterpart } from './examine.ts';

/** The private platform as the kit finds it, with the credentials of its demonstration client. */
export function counterpartOf(local: LocalStack, finalCode: string): Counterpart {
  const { url, providerUrl, identity, secrets } = local;
  return {
    targets: { receiver: url, carrier: url, provider: providerUrl }, tokenTarget: url, finalCode,
    env: {
      RASTRO_CLIENT_ID: identity.clientId,
      RASTRO_CLIENT_SECRET: identity.clientSecret,
      RASTRO_PROVIDER: identity.provider,
      RASTRO_COUNTRY: identity.country,
      RASTRO_PROVIDER_COMMAND_TOKEN: secrets.commandToken,
    },
  };
}
