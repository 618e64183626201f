import { example, type Command } from '../../adapters/command-line/command-line.ts';
import { canonicalNumber } from '../../domain/journey/canonical-number.ts';
import type { NamedDriver } from '../../kernel/driver-eraser.ts';
import type { Subject } from '../../kernel/personal.ts';
import { erase } from './erase.ts';
import { eraseDriver, eraseDriversAgain } from './erase-driver.ts';
import { eraseTracksAgain } from './erase-tracks.ts';
import { readPersonalKeys, recordPersonalKey } from './log.ts';
import { livesOfDevice, subjectsOfLives, subjectsOfShipment, type DeviceLife } from './records.ts';
import { show } from './show.ts';
import type { OperatorPorts, Report } from '../ports.ts';
import { DONE, DONE_OR_NONE, misuse, noun } from '../noun.ts';

const ERASED = 'Exit codes: 0 done, 1 failed or something is left (it says what), 2 wrong use';

interface DriverWords {
  readonly client: string;
  readonly provider: string;
  readonly type: string;
}

interface About {
  readonly shipment?: string;
  readonly device?: string;
}

/**
 * `rastro person show | erase --shipment N | --device ID`, `rastro person erase-driver`,
 * `rastro person reapply` and `rastro person rewrap`: the rights of access and of erasure, and the
 * change of the key that wraps all others.
 */
export const personCommand = noun<OperatorPorts>((command, does) => {
  command.description('What the log holds about persons, and its erasure.');
  example(aboutOptions(command.command('show').description('What the log holds about its persons.'))
    .action(does((ports, about: About) => withSubjects(ports, about, show))),
  'rastro person show --shipment 1Z999AA10123456784 --reason TICKET-7', DONE_OR_NONE);
  example(aboutOptions(command.command('erase')
    .description('Drops the keys, pictures and positions. It cannot be undone.'))
    .action(does((ports, about: About) => withSubjects(ports, about, erase))),
  'rastro person erase --shipment 1Z999AA10123456784 --reason TICKET-7', `${ERASED}, 3 not found.`);
  example(command.command('erase-driver')
    .description('Erases what was received about a driver of deliveries. It cannot be undone.')
    .argument('<id>', 'its external_id')
    .requiredOption('--type <type>', 'its external_type')
    .requiredOption('--client <id>', 'client that sends about it')
    .requiredOption('--provider <name>', 'provider of its calls')
    .action(does((ports, external_id: string, { client, provider, type }: DriverWords) => (
      dropDriver(ports, { client_id: client, provider, external_type: type, external_id })
    ))),
  'rastro person erase-driver driver-7 --type acme_driver --client 100000000000042 --provider acme'
    + ' --reason TICKET-7',
  `${ERASED}.`);
  example(command.command('reapply')
    .description('Deletes again what was erased, from tables that came back from a backup.')
    .action(does((ports) => reapply(ports))), 'rastro person reapply --reason TICKET-7', `${ERASED}.`);
  example(command.command('rewrap')
    .description('Wraps every key again with the first of RASTRO_PERSONAL_KEY.')
    .action(does((ports) => rewrap(ports))), 'rastro person rewrap --reason TICKET-7', DONE);
});

function aboutOptions(command: Command): Command {
  return command
    .option('--shipment <number>', 'tracking number of a shipment')
    .option('--device <id>', 'id of a device');
}

async function withSubjects(
  ports: OperatorPorts, { shipment, device }: About,
  use: (
    ports: OperatorPorts, subjects: readonly Subject[], lives: readonly DeviceLife[],
  ) => Promise<Report>,
): Promise<Report> {
  if ((shipment === undefined) === (device === undefined)) {
    return misuse('Say whom it is about: --shipment NUMBER or --device ID.');
  }
  if (shipment !== undefined) {
    return use(ports, await subjectsOfShipment(ports.reader, canonicalNumber(shipment)), []);
  }
  const lives = await livesOfDevice(ports.reader, device ?? '');
  return use(ports, subjectsOfLives(device ?? '', lives), lives);
}

async function dropDriver(ports: OperatorPorts, driver: NamedDriver): Promise<Report> {
  const { rowsDeleted, left } = await eraseDriver(ports, driver);
  return {
    value: { rows_deleted: rowsDeleted, left },
    lines: [`Erased the driver: ${rowsDeleted} rows deleted.`, ...left],
    exitCode: left.length > 0 ? 1 : 0,
  };
}

/** Deletes again from the tables what the log says is erased: a backup may have brought it back. */
export async function reapply(ports: OperatorPorts): Promise<Report> {
  const { devices, rowsDeleted: ofDevices, left } = await eraseTracksAgain(ports);
  const { drivers, rowsDeleted: ofDrivers } = ports.driverEraser === undefined
    ? { drivers: 0, rowsDeleted: 0 } : await eraseDriversAgain(ports, ports.driverEraser);
  const rowsDeleted = ofDevices + ofDrivers;
  return {
    value: {
      tracks_erased: devices, drivers_erased: drivers, rows_deleted: rowsDeleted, left,
    },
    lines: [`${rowsDeleted} rows of ${devices} devices and ${drivers} drivers deleted.`, ...left],
    exitCode: left.length > 0 ? 1 : 0,
  };
}

/** Wraps every key again by the first of the ring; then the others may be taken away. */
async function rewrap(ports: OperatorPorts): Promise<Report> {
  const { keyRing } = ports;
  if (keyRing === undefined) return misuse('Set RASTRO_PERSONAL_KEY, the new key in front.');
  const known = await readPersonalKeys(ports.reader);
  const at_ms = ports.clock.nowMs();
  let count = 0;
  for (const [subject, { keys, erasedAtMs }] of known) {
    if (erasedAtMs !== undefined) continue;
    for (const [id, wrapped] of keys) {
      if (wrapped.startsWith(`${keyRing.current}.`)) continue;
      const rewrapped = keyRing.rewrap(subject, { id, wrapped });
      await recordPersonalKey(ports, {
        type: 'PersonalKeyRecorded', subject, key_id: id, wrapped: rewrapped.wrapped, at_ms,
      });
      count += 1;
    }
  }
  return {
    value: { rewrapped: count, by: keyRing.current },
    lines: [`${count} keys are wrapped by ${keyRing.current} now.`],
    exitCode: 0,
  };
}
