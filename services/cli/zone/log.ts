import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { ZoneRecorded } from '../../../schemas/generated/types.ts';
import { newestZone } from '../../domain/zone/zone.ts';
import { eachFact } from '../../kernel/each-fact.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import type { OperatorPorts } from '../ports.ts';

const TOPIC = TOPICS.zones.name;
const APPEND_MS_MAX = 15_000;

/** The newest version of each zone as the log has it, by zone id. */
export async function readZones(reader: LogReader): Promise<Map<string, ZoneRecorded>> {
  const zones = new Map<string, ZoneRecorded>();
  await eachFact<ZoneRecorded>(reader, [TOPIC], (fact) => {
    zones.set(fact.zone_id, newestZone(zones.get(fact.zone_id), fact));
  });
  return zones;
}

/** Appends a version. Its key is its own, so that compaction leaves every version there. */
export async function recordZone(
  { log, clock }: Pick<OperatorPorts, 'log' | 'clock'>, zone: ZoneRecorded,
): Promise<void> {
  await log.append({
    topic: TOPIC, key: `${zone.zone_id}|${zone.version}`,
    value: Buffer.from(JSON.stringify(zone)), headers: { 'received-at': String(zone.at_ms) },
  }, clock.nowMs() + APPEND_MS_MAX);
}
