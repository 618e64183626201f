import type { AccessStates } from '../../../kernel/access.ts';
import type { PartyStates } from '../../../kernel/parties.ts';
import type { LogHandler } from '../../../kernel/record-log.ts';
import { createKeeper, type KeeperPorts } from '../../common/keeper.ts';
import type { PoisonFloodConfig } from '../../common/poison-flood.ts';
import type { ReadRecord } from '../../common/read-record.ts';
import { createAccessApplier } from './apply-access-records.ts';

/** What the access keeper works with. */
export interface AccessKeeperPorts extends Omit<KeeperPorts, 'applyRecords'> {
  readonly access: AccessStates;
  readonly parties: PartyStates;
  readonly readRecord: ReadRecord;
}

/** Keeps clients, tokens and parties in the state store equal to what the log says about them. */
export function createAccessKeeper(
  config: PoisonFloodConfig, ports: AccessKeeperPorts,
): LogHandler {
  return createKeeper(
    { ...config, worker: 'access-keeper' },
    {
      ...ports,
      applyRecords: createAccessApplier(ports.access, ports.parties, ports.readRecord),
    },
  );
}
