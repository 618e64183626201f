import type { LogHandler } from '../../../kernel/record-log.ts';
import { createKeeper, type KeeperPorts } from '../../common/keeper.ts';
import type { PoisonFloodConfig } from '../../common/poison-flood.ts';
import type { ReadRecord } from '../../common/read-record.ts';
import {
  createAuthorizationApplier, type AuthorizationTargets,
} from './apply-authorization-records.ts';

/** What the authorization keeper works with. */
export type AuthorizationKeeperPorts = Omit<KeeperPorts, 'applyRecords'> & AuthorizationTargets & {
  readonly readRecord: ReadRecord;
};

/** Keeps authorizations, and calls of carriers, in the state store equal to the log. */
export function createAuthorizationKeeper(
  config: PoisonFloodConfig, ports: AuthorizationKeeperPorts,
): LogHandler {
  return createKeeper(
    { ...config, worker: 'authorization-keeper' },
    { ...ports, applyRecords: createAuthorizationApplier(ports, ports.readRecord) },
  );
}
