import { openOperator } from '../../../services/cli/assemble.ts';
import { partyCommand } from '../../../services/cli/party/command.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { PERSONAL_KEY } from '../fake-personal.ts';
import { CHOSEN_CLIENT } from '../kafka-logs.ts';
import type { TestEnv } from '../platform.ts';
import { tinyProvider, type TinyAnswer, type TinyProvider } from '../tiny-provider.ts';
import type { PartyStep } from './read-examples.ts';
import type { Variables } from './variables.ts';

type Kind = PartyStep['party'];

/** A provider and a carrier that the platform calls, as examples script them. */
export interface ExampleParties {
  /** Their ids as variables, `{provider.party}` and `{carrier.party}`. */
  introduce(variables: Variables): Promise<void>;
  /** The next answers, one after the other; the last one stays. */
  answer(kind: Kind, answers: readonly (number | string | object)[]): void;
  calls(kind: Kind): readonly object[];
  close(): Promise<void>;
}

/** Opens both on ports of their own and records them as parties of the platform. */
export async function openParties(
  { env, secretPepper }: TestEnv, vaultKey: string,
): Promise<ExampleParties> {
  const scripts: Record<Kind, TinyAnswer[]> = { provider: [200], carrier: [200] };
  const next = (kind: Kind) => (): TinyAnswer => {
    const [first = 200, ...rest] = scripts[kind];
    if (rest.length > 0) scripts[kind] = rest;
    return first;
  };
  const open: Record<Kind, TinyProvider> = {
    provider: await tinyProvider(next('provider')), carrier: await tinyProvider(next('carrier')),
  };
  const { ports, close } = await openOperator({
    brokers: env.KAFKA_BROKERS.split(','), registryUrl: env.SCHEMA_REGISTRY_URL,
    kafkaClient: CHOSEN_CLIENT, secretPepper, vaultKey, partySecret: 'token-of-the-platform',
    personalKey: PERSONAL_KEY,
  }, silentSignals);
  const add = async (kind: Kind, ...more: readonly string[]): Promise<string> => {
    const { exitCode, value, lines } = await partyCommand(ports, [
      'add', '--kind', kind, '--name', kind, '--url', open[kind].url, '--auth', 'static', ...more,
    ]);
    if (exitCode !== 0) throw new Error(lines.join(' '));
    return (value as { party_id: string }).party_id;
  };
  const ids: Record<Kind, string> = {
    provider: await add('provider', '--provider', 'tiny'), carrier: await add('carrier'),
  };
  return {
    async introduce(variables) {
      for (const kind of ['provider', 'carrier'] as const) {
        variables.set(`${kind}.party`, ids[kind]);
      }
    },
    answer(kind, answers) { scripts[kind] = answers as TinyAnswer[]; },
    calls: (kind) => open[kind].calls,
    async close() {
      open.provider.close();
      open.carrier.close();
      await close();
    },
  };
}
