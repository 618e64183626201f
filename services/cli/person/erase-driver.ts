import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DriverEraser, NamedDriver } from '../../kernel/driver-eraser.ts';
import { driverHash, isDriverErased, type DriverErased } from '../../kernel/erased-drivers.ts';
import type { OperatorPorts } from '../ports.ts';
import {
  LEFT_BEHIND, LEFT_WITHOUT_TABLES, untilKnownAndWritten, type EraseTracksPorts, type TracksEnd,
} from './erase-tracks.ts';
import { readErasedDrivers } from '../../kernel/read-erasures.ts';

/** What erasing drivers takes. */
export type EraseDriverPorts = EraseTracksPorts & Pick<
  OperatorPorts, 'digest' | 'ids' | 'driverEraser'
>;

const APPEND_MS_MAX = 15_000;
const TRACEABLES_MAX = 1_000;

/**
 * Erases what was received about a driver until now: first the log says so, by a salted hash, then
 * last positions of what it carried go, then the rows.
 */
export async function eraseDriver(
  ports: EraseDriverPorts, driver: NamedDriver,
): Promise<TracksEnd> {
  const { client_id, provider } = driver;
  const salt = ports.ids.nonce();
  const erased: DriverErased = {
    type: 'DriverErased', client_id, provider, salt,
    driver_hash: driverHash(ports.digest, salt, driver), received_until_ms: ports.clock.nowMs(),
  };
  await record(ports, erased, erased.driver_hash);
  const { driverEraser } = ports;
  if (driverEraser === undefined) return { rowsDeleted: 0, left: LEFT_WITHOUT_TABLES };
  const isWritten = await untilKnownAndWritten(ports);
  const traceables = await driverEraser.traceablesOf(driver);
  for (let from = 0; from < traceables.length; from += TRACEABLES_MAX) {
    const part = traceables.slice(from, from + TRACEABLES_MAX);
    await record(ports, { ...erased, traceables: [...part] }, `${erased.driver_hash}|${from}`);
  }
  let rowsDeleted = await driverEraser.erase(driver, erased.received_until_ms);
  rowsDeleted += await ports.archiveEraser?.eraseDriver(driver, erased.received_until_ms) ?? 0;
  return { rowsDeleted, left: isWritten ? [] : LEFT_BEHIND };
}

/**
 * Deletes again all drivers that were ever erased: those of the tables whose hash is one of theirs.
 */
export async function eraseDriversAgain(
  { reader, digest, archiveEraser }: EraseDriverPorts, eraser: DriverEraser,
): Promise<{ readonly drivers: number; readonly rowsDeleted: number }> {
  let drivers = 0;
  let rowsDeleted = 0;
  for (const erased of (await readErasedDrivers(reader, TOPICS.erasedDrivers.name)).values()) {
    const [first] = erased;
    if (first === undefined) continue;
    const { client_id, provider } = first;
    const named = [
      ...await eraser.driversOf(client_id, provider),
      ...await archiveEraser?.driversOf(client_id, provider) ?? [],
    ];
    for (const driver of new Map(named.map((each) => [JSON.stringify(each), each])).values()) {
      const own = erased.filter((each) => (
        isDriverErased([each], digest, driver, each.received_until_ms)
      ));
      if (own.length === 0) continue;
      drivers += 1;
      const untilMs = Math.max(...own.map(({ received_until_ms }) => received_until_ms));
      rowsDeleted += await eraser.erase(driver, untilMs);
      rowsDeleted += await archiveEraser?.eraseDriver(driver, untilMs) ?? 0;
    }
  }
  return { drivers, rowsDeleted };
}

async function record(
  { log, clock }: EraseDriverPorts, fact: DriverErased, key: string,
): Promise<void> {
  await log.append({
    topic: TOPICS.erasedDrivers.name, key, value: Buffer.from(JSON.stringify(fact)),
    headers: { 'received-at': String(fact.received_until_ms) },
  }, clock.nowMs() + APPEND_MS_MAX);
}
