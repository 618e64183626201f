import type { AuthorizationRequest } from '../../../schemas/generated/types.ts';
import { anAsk, aRequest, aUser } from '../../support/authorization-facts.ts';
import { aParty } from '../../support/command-facts.ts';
import { anAudit } from '../../support/fake-audits.ts';
import { aFlood } from '../../support/fake-overflow.ts';
import { anOutcome } from '../../support/fake-item-outcomes.ts';
import { aPlace } from '../../support/fake-platform-history.ts';
import { authorization } from '../../support/isolation/calls.ts';
import { received, recordJourneys } from '../../support/journeys.ts';
import type { Dice } from '../../faults/dice.ts';
import type { Sight } from './markers.ts';
import { digitsOf, issue, textOf, wordOf, type ProbeAccount } from './accounts.ts';
import { plantDevices } from './plant-devices.ts';
import type { Planted, Planting } from './planted.ts';

const NUMBERED: readonly Sight[] = ['state', 'facts'];

/** Gives an account one more of everything that its rights let it have. */
export async function plant(planting: Planting, account: ProbeAccount): Promise<Planted> {
  const { markers, dice, at } = planting;
  const mark = (sights: readonly Sight[], text: string): string => (
    markers.mark(account.name, sights, text));
  const { client } = account;
  // Of a sandbox client no other reads anything, not even the platform.
  const everywhere: readonly Sight[] = client.sandbox === true
    ? [] : [...NUMBERED, 'dead-letters', 'calls'];
  for (const text of [client.client_id, client.user_id, client.name, ...client.providers]) {
    mark(everywhere, text);
  }

  const names = namesOf(planting, account);
  if (client.sandbox === true) return plantSandbox(planting, account, names);
  await at.states.refusals.keep(client.client_id, [{
    operation: 'send-locations', status: 400, code: mark([], `code_${wordOf(dice)}`), pointers: [],
    count: 1, first_at_ms: Date.now(), last_at_ms: Date.now(),
  }]);
  at.itemOutcomes.add(client.client_id, mark(NUMBERED, names.ingest), anOutcome({
    received_at_ms: Date.now(), offset: Number(mark(['state'], `1${digitsOf(dice, 12)}`)),
  }));
  const role = client.providers.length > 0 ? 'provider' : 'carrier';
  const { provider: _, ...address } = aParty({
    party_id: mark(['state', 'calls'], names.party), kind: role, name: names.party,
  });
  await at.states.parties.apply({
    ...address,
    client_id: client.client_id,
    ...role === 'provider' ? { provider: account.provider } : {},
  });
  const detail = mark(['dead-letters'], names.detail);
  at.deadLetters.add('rtt.locations.v1', dice.between(0, 2 ** 31), {
    headers: { client: client.client_id, provider: account.provider }, detail,
  });
  for (const provider of client.providers) at.overflowSource.add(aFlood(provider));
  at.audits.add(anAudit({
    audit_id: mark(['dead-letters'], `audit-${textOf(dice, 12)}`), at_ms: Date.now(),
    subject: `client:${client.client_id}`,
  }));
  const token = await issue(at, dice, client, client.audiences[0] ?? 'revoke');
  const withDevices = client.audiences.includes('rtt')
    ? await plantDevices(planting, account, { ...names, token }) : { ...names, token };
  return client.audiences.includes('tracking-pull')
    ? plantShipment(planting, account, withDevices) : withDevices;
}

/** A shipment with what a carrier notified of it; of who authorizes it is its own authorization. */
async function plantShipment(
  { at, dice, markers }: Planting, account: ProbeAccount, names: Planted,
): Promise<Planted> {
  const mark = (sights: readonly Sight[], text: string): string => (
    markers.mark(account.name, sights, text));
  const { client_id, audiences } = account.client;
  const order = mark(['state', 'calls'], names.transportOrder);
  let { shipment } = names;
  if (audiences.includes('authorizations')) {
    const token = await issue(at, dice, account.client, 'authorizations');
    const { path } = authorization(order);
    const request = requestFor(mark([], `Ana ${wordOf(dice)}`), order);
    const answer = await fetch(at.edge.url + path, {
      method: 'POST', body: JSON.stringify(request),
      headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
    });
    ({ tracking_number: shipment } = await answer.json() as { tracking_number: string });
  }
  mark(NUMBERED, shipment);
  const isCarrier = audiences.includes('logistic-feed');
  await at.states.shipments.authorize(shipment, {
    ...isCarrier ? { carrier_client_id: client_id } : { platform_client_id: client_id },
    at_ms: Date.now(),
  });
  await at.states.shipmentIndex.add([{
    tracking_number: shipment, transport_order_id: order, shipment_id: '41',
    platform_client_id: client_id, epoch: 1, at_ms: Date.now(),
  }]);
  const recordId = { topic_id: 'topic-1', partition: 0, offset: dice.between(0, 2 ** 31) };
  const free = mark([], `text ${wordOf(dice)}`);
  at.history.addNotifications(shipment, {
    recordId, image: undefined, received_at_ms: 1_764_000_000_000,
    text: JSON.stringify({
      tracking_number: shipment, code: 'EX-HUB', carrier_code: 'X',
      payload: { date: '2026-11-20T10:15:00-03:00', comment: free },
    }),
  });
  at.history.addJourney(...recordJourneys([received(recordId.offset, 'EX-HUB', 1, {
    tracking_number: shipment, client_id, carrier_code: mark(['state'], `own-${wordOf(dice)}`),
  })]).events);
  const city = mark(['state'], `City ${wordOf(dice)}`);
  at.platformHistory.places.set(shipment, aPlace({ city }));
  return { ...names, shipment, transportOrder: order };
}

/** What a sandbox client has is its own alone, and is there by its calls alone. */
async function plantSandbox(
  planting: Planting, account: ProbeAccount, names: Planted,
): Promise<Planted> {
  const planted = await plantDevices(planting, account, names, 'sandbox');
  return { ...planted, token: await issue(planting.at, planting.dice, account.client, 'rtt') };
}

/** An authorization that the platform asked a carrier for; gives the id of the call. */
export async function plantCall(
  { at, dice, markers }: Planting, carrier: ProbeAccount,
): Promise<string> {
  const call = markers.mark('platform', ['calls', 'state'], `call-${wordOf(dice)}`);
  await at.states.authorizationCalls.apply([anAsk(call, {
    carrier: carrier.name, shipment_id: '41',
    transport_order_id: markers.mark('platform', ['calls', 'state'], `order-${wordOf(dice)}`),
    request: { ...requestFor(markers.mark('platform', [], `Rui ${wordOf(dice)}`)) },
  })]);
  return call;
}

/** A request for an authorization whose receiver has this name. */
function requestFor(person: string, transport_order_id?: string): AuthorizationRequest {
  const order = transport_order_id === undefined ? {} : { transport_order_id };
  const request = aRequest({ id: 41, ...order });
  const { shipment_information: usual } = request;
  if (usual === undefined) throw new Error('A request of these tests names persons.');
  const receiver = aUser({ full_name: person });
  return { ...request, shipment_information: { ...usual, receiver } };
}

/** Names in the form of things; there is nothing of these names yet. */
function namesOf({ dice }: Planting, { client, provider }: ProbeAccount): Planted {
  const id = (): string => [8, 4, 4, 4, 12].map((length) => hexOf(dice, length)).join('-');
  return {
    owner: client.client_id, provider, device: id(), entity: `entity-${wordOf(dice)}`,
    transport: Number(`1${digitsOf(dice, 12)}`), transportOrder: `to-${wordOf(dice)}`,
    command: id(), ingest: id(), request: Buffer.from(wordOf(dice)).toString('base64'),
    shipment: `RST${textOf(dice, 12)}`.toUpperCase(), traceable: id(),
    party: `party-${wordOf(dice)}`,
    token: '', latitude: Number(`${dice.between(10, 70)}.${digitsOf(dice, 5)}`),
    call: '', followed: id(), detail: `because ${wordOf(dice)}`,
  };
}

function hexOf(dice: Dice, digits: number): string {
  return Array.from({ length: digits }, () => dice.between(0, 15).toString(16)).join('');
}
