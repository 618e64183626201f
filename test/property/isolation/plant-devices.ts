import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DeviceEvent } from '../../../services/kernel/devices.ts';
import { aTelemetryRequest, placedCommands } from '../../support/command-facts.ts';
import { aPastFix } from '../../support/fake-past-fleet.ts';
import { aScore } from '../../support/fake-provider-quality.ts';
import { anOffer, aTraceableOffer, logRecordId, placed } from '../../support/state-facts.ts';
import type { Sight } from './markers.ts';
import { issue, wordOf, type ProbeAccount } from './accounts.ts';
import type { Planting, Planted } from './planted.ts';

const LONGITUDE = 10.5;

/** Registers a device by the calls of its account, and fills the stores where it is real. */
export async function plantDevices(
  planting: Planting, account: ProbeAccount, names: Planted, where: 'real' | 'sandbox' = 'real',
): Promise<Planted> {
  const { at, dice, markers } = planting;
  const isReal = where === 'real';
  const mark = (sights: readonly Sight[], text: string): string => (
    markers.mark(account.name, isReal ? sights : [], text));
  const { client } = account;
  const token = await issue(at, dice, client, 'rtt');
  const post = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(at.edge.url + path, {
      method: 'POST', body: JSON.stringify(body),
      headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
    });
    if (!answer.ok) throw new Error(`${path} for ${account.name}: ${await answer.text()}`);
    return answer.json();
  };
  mark(['state', 'facts'], String(names.transport));
  const { id } = await post('/shipping/rtt/devices?country_id=BR', {
    external_entity: { entity_id: mark([], names.entity), entity_type: 'truck' },
    transport: { id: names.transport },
    device_specs: {
      device_type: 'GPS', brand: mark([], `Brand ${wordOf(dice)}`), model: 'M', equipment_id: 'E',
    },
  }) as { id: string };
  const device = mark(['state', 'facts'], id);
  await post(`/shipping/rtt/devices/${device}/start_tracking?country_id=BR`, {});
  const latitude = Number(mark(['state', 'facts'], String(names.latitude)));
  const seconds = Math.floor(Date.now() / 1_000) - 60;
  await post(`/shipping/rtt/georeceiver/${account.provider}/locations?country_id=BR`, {
    device_id: device, post_timestamp: seconds,
    locations: [{ timestamp: seconds, country_id: 'BR', latitude, longitude: LONGITUDE }],
  });
  if (isReal) await project(planting, device);
  if (isReal) await plantStores(planting, account, { ...names, device, latitude }, mark);
  return { ...names, device, latitude };
}

/** What the projector does with the facts of a device. */
async function project({ at, dice }: Planting, device: string): Promise<void> {
  const facts = at.log.of(TOPICS.deviceLifecycle.name).map(({ value }) => value as DeviceEvent)
    .filter(({ device_id }) => device_id === device);
  await at.states.devices.apply(placed(facts, dice.between(0, 2 ** 31)));
}

/** What workers and tables would have of it. */
async function plantStores(
  { at, dice }: Planting, { client, provider }: ProbeAccount, names: Planted,
  mark: (sights: readonly Sight[], text: string) => string,
): Promise<void> {
  const { device, latitude, transport } = names;
  const { client_id } = client;
  const place = {
    client_id, latitude, longitude: LONGITUDE, provider,
    timestamp: Math.floor(Date.now() / 1_000) - 60,
    recordId: logRecordId(dice.between(0, 2 ** 31)),
  };
  await at.states.lastFixes.offer([anOffer({ ...place, device_id: device })]);
  await at.states.traceables.offer([aTraceableOffer({
    ...place, traceable_id: mark([], names.traceable),
    external_id: mark([], `driver-${wordOf(dice)}`),
  })]);
  at.pastFleet.fixes.push(aPastFix({ device_id: device, client_id, provider, latitude }));
  at.deviceTracks.send({
    device, client: client_id, receivedAtMs: Date.now(),
    fixes: [{ timestamp: place.timestamp, latitude, longitude: LONGITUDE }],
  });
  at.providerQuality.scores.push(aScore({ provider }));
  await at.states.commands.applyCommands(placedCommands([
    aTelemetryRequest(mark(['state'], names.request), transport, {
      command_id: mark(['state', 'facts'], names.command), provider, client_id,
    }),
  ], dice.between(0, 2 ** 31)));
}
