import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { partiesOf } from '../../domain/authorization/parties.ts';
import type {
  AuthorizationAsked, AuthorizationCallEvent, AuthorizationCalls, AuthorizationTried,
} from '../../kernel/authorization-calls.ts';
import type {
  CommandStates, ProviderCommandIssued, ProviderCommandResult,
} from '../../kernel/commands.ts';
import type { PartnerWord } from '../../kernel/magic-ids.ts';
import type { OutgoingRecord } from '../../kernel/record-log.ts';
import type { BindingTargets } from './bind-shipments.ts';

/** Where commands and calls of carriers are kept, and what a carrier's number belongs to. */
export interface PartnerTargets extends BindingTargets {
  readonly commands: Pick<CommandStates, 'applyCommands' | 'applyResults'>;
  readonly authorizationCalls: Pick<AuthorizationCalls, 'apply'>;
}

type Ending = Pick<ProviderCommandResult, 'outcome' | 'status'>;

const COMMAND_ENDS: Partial<Record<PartnerWord, Ending>> = {
  done: { outcome: 'done', status: 200 }, refused: { outcome: 'refused', status: 400 },
  ended: { outcome: 'ended', status: 403 },
};

/**
 * Ends what a call to a sandbox asked of a provider or a carrier, which no worker brings there: as
 * a magic id says, else well. With `queued` it waits for good.
 */
export async function answerAsPartners(
  targets: PartnerTargets, records: readonly OutgoingRecord[], word: PartnerWord | undefined,
): Promise<void> {
  for (const { topic, value } of records) {
    const text = Buffer.from(value).toString('utf8');
    if (topic === TOPICS.providerCommands.name) {
      await endCommand(targets, JSON.parse(text) as ProviderCommandIssued, word ?? 'done');
    }
    if (topic === TOPICS.authorizationCalls.name) {
      const fact = JSON.parse(text) as AuthorizationCallEvent;
      if (fact.type === 'AuthorizationAsked') await endCall(targets, fact, word ?? 'authorized');
    }
  }
}

async function endCommand(
  { commands }: PartnerTargets, event: ProviderCommandIssued, word: PartnerWord,
): Promise<void> {
  const { command_id, provider, command_key, at_ms } = event;
  const recordId = { topicId: 'sandbox', partition: 0, offset: BigInt(at_ms) };
  await commands.applyCommands([{ event, recordId }]);
  const end = COMMAND_ENDS[word];
  if (end === undefined) return;
  await commands.applyResults([{
    type: 'ProviderCommandResult', command_id, provider, command_key, fence: 1, attempt: 1, ...end,
    reason: 'answered', at_ms,
  }]);
}

async function endCall(
  { authorizationCalls, shipments, shipmentIndex }: PartnerTargets, asked: AuthorizationAsked,
  word: PartnerWord,
): Promise<void> {
  if (word === 'queued') return;
  const { call_id, carrier, client_id, transport_order_id, shipment_id, round, at_ms } = asked;
  const tried: Omit<AuthorizationTried, 'outcome' | 'reason'> = {
    type: 'AuthorizationTried', call_id, carrier, transport_order_id, shipment_id, round,
    attempt: 1, at_ms,
  };
  if (word === 'parked') {
    await authorizationCalls.apply([
      { ...tried, outcome: 'parked', reason: 'refused', status: 400 },
    ]);
    return;
  }
  const number = `SANDBOX${call_id.replaceAll('-', '').slice(-16).toUpperCase()}`;
  const authorized: AuthorizationTried = {
    ...tried, outcome: 'authorized', reason: 'answered', status: 200, tracking_number: number,
    platform_client_id: client_id, carrier_client_id: client_id,
  };
  await authorizationCalls.apply([authorized]);
  await shipments.authorize(number, partiesOf(authorized));
  await shipmentIndex.add([{
    tracking_number: number, transport_order_id, shipment_id, platform_client_id: client_id,
    call_id, at_ms,
  }]);
}
