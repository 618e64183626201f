import type { CommandStates } from '../../../kernel/commands.ts';
import type { LogHandler } from '../../../kernel/record-log.ts';
import { createKeeper, type KeeperPorts } from '../../common/keeper.ts';
import type { PoisonFloodConfig } from '../../common/poison-flood.ts';
import type { ReadRecord } from '../../common/read-record.ts';
import { createCommandApplier } from './apply-command-records.ts';

/** What the command keeper works with. */
export interface CommandKeeperPorts extends Omit<KeeperPorts, 'applyRecords'> {
  readonly commands: CommandStates;
  readonly readRecord: ReadRecord;
}

/**
 * Keeps in the state store what the log says about provider commands: where each one stands, which
 * transports are monitored, and which deferred events were asked for.
 */
export function createCommandKeeper(
  config: PoisonFloodConfig, ports: CommandKeeperPorts,
): LogHandler {
  return createKeeper(
    { ...config, worker: 'command-keeper' },
    { ...ports, applyRecords: createCommandApplier(ports.commands, ports.readRecord) },
  );
}
