import type { DeviceDirectory } from '../../../kernel/devices.ts';
import type { LastFix, LastFixes } from '../../../kernel/fixes.ts';
import type { Operation } from '../../../kernel/http.ts';
import { defineOperation } from '../../common/catalog.ts';
import { platformPosition, type PositionView } from '../../common/position-resource.ts';
import { problemErrors } from '../../common/problem.ts';
import { noPosition } from '../../common/refusals.ts';

/** What showing the last position of a transport needs from outside. */
export interface TransportFixPorts extends PositionView {
  readonly directory: DeviceDirectory;
  readonly lastFixes: Pick<LastFixes, 'find'>;
}

/** Of a transport with more devices, those registered last are asked. */
const DEVICES_MAX = 100;

/** `GET /platform/transports/{transport_id}/last_position`: where any device of it was last. */
export function showTransportFix(ports: TransportFixPorts): Operation {
  return defineOperation('show-transport-fix', {
    errors: problemErrors,
    async handle({ params }) {
      const fix = await newestFix(ports, params.transport_id);
      if (fix === undefined) return noPosition();
      return { kind: 'answer', status: 200, body: platformPosition(fix, ports) };
    },
  });
}

/** The newest by its own time; of two of one second that of the device registered last. */
async function newestFix(
  { directory, lastFixes }: TransportFixPorts, transportId: string,
): Promise<LastFix | undefined> {
  const { devices } = await directory.ofTransport(transportId, undefined, DEVICES_MAX);
  const fixes = await Promise.all(devices.map(
    ({ client_id, device_id }) => lastFixes.find(client_id, device_id),
  ));
  return fixes.reduce((newest, fix) => (
    fix !== undefined && (newest === undefined || fix.timestamp > newest.timestamp) ? fix : newest
  ), undefined);
}
