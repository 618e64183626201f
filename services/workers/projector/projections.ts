import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { CommandStates } from '../../kernel/commands.ts';
import type { DeviceStates } from '../../kernel/devices.ts';
import type { PersonalKeyStates } from '../../kernel/personal.ts';
import type { LastFixes } from '../../kernel/fixes.ts';
import type { LogHandler } from '../../kernel/record-log.ts';
import { applyByTopic } from '../common/apply-by-topic.ts';
import { createBatchHandler, type BatchHandlerPorts } from '../common/batch-handler.ts';
import type { CrashBreaker } from '../common/crash-breaker.ts';
import type { ApplyRecords } from '../common/outcomes.ts';
import { LAST_FIX_LIMITS, type FixConfig } from '../../kernel/plausible-fix.ts';
import type { PoisonFloodConfig } from '../common/poison-flood.ts';
import type { ReadRecord } from '../common/read-record.ts';
import type { ProjectionName } from '../workers.ts';
import { createAccessApplier, type AccessTargets } from './access/apply-access-records.ts';
import {
  createAuthorizationApplier, type AuthorizationTargets,
} from './authorizations/apply-authorization-records.ts';
import { createCommandApplier } from './commands/apply-command-records.ts';
import {
  createDeliveryApplier, createDriverErasureApplier, type DeliveryTargets,
} from './deliveries/apply-delivery-records.ts';
import {
  createErasureApplier, createLifecycleApplier, createFixApplier,
} from './devices/apply-device-records.ts';
import { createPersonalApplier, type DropKeys } from './personal/apply-personal-records.ts';

/** What each projection writes to. */
export interface ProjectionTargets {
  readonly personal: {
    readonly personalKeys: Pick<PersonalKeyStates, 'apply'>;
    /** Missing in a rebuild, which appends nothing. */
    readonly dropKeys?: DropKeys;
  };
  readonly access: AccessTargets;
  readonly devices: { readonly devices: DeviceStates; readonly lastFixes: LastFixes };
  readonly deliveries: DeliveryTargets;
  readonly commands: { readonly commands: CommandStates };
  readonly authorizations: AuthorizationTargets;
}

/** How records are read: by the schemas of their topics. */
export interface RecordReading {
  readonly readRecord: ReadRecord;
}

type MakeApplier<Name extends ProjectionName> =
  (
    config: FixConfig, targets: ProjectionTargets[Name] & RecordReading,
  ) => ApplyRecords;

/** How each projection applies its records; the rebuild applies with the same functions. */
export const PROJECTIONS: { readonly [Name in ProjectionName]: MakeApplier<Name> } = {
  personal: (_, { personalKeys, dropKeys, readRecord }) =>
    createPersonalApplier(personalKeys, readRecord, dropKeys),
  access: (_, targets) => createAccessApplier(targets, targets.readRecord),
  devices: (config, { devices, lastFixes, readRecord }) => applyByTopic({
    [TOPICS.deviceLifecycle.name]: createLifecycleApplier(devices, readRecord),
    [TOPICS.erasedTracks.name]: createErasureApplier(lastFixes, readRecord),
    [TOPICS.locations.name]: createFixApplier(config, lastFixes),
  }),
  deliveries: (config, targets) => applyByTopic({
    [TOPICS.erasedDrivers.name]: createDriverErasureApplier(targets, targets.readRecord),
    [TOPICS.deliveryLocations.name]: createDeliveryApplier(config, targets),
  }),
  commands: (_, { commands, readRecord }) => createCommandApplier(commands, readRecord),
  authorizations: (_, targets) => createAuthorizationApplier(targets, targets.readRecord),
};

/** Which fixes may become last positions, unless a test says otherwise. */
export const PROJECTOR_LIMITS: FixConfig = LAST_FIX_LIMITS;

/** What a projection works with, beside what it writes to. */
export type ProjectionPorts =
  Omit<BatchHandlerPorts, 'applyRecords' | 'onAssigned'> & RecordReading & {
    /** Absent where nothing survives the process. */
    readonly breaker?: CrashBreaker;
  };

/** Keeps one class of facts in the state store equal to what the log says. */
export function createProjection<Name extends ProjectionName>(
  name: Name, config: PoisonFloodConfig & Partial<FixConfig>,
  ports: ProjectionPorts & ProjectionTargets[Name],
): LogHandler {
  const limits = { ...PROJECTOR_LIMITS, ...config };
  const applyRecords = (PROJECTIONS[name] as MakeApplier<Name>)(limits, ports);
  const { breaker, ...rest } = ports;
  return createBatchHandler({ ...config, worker: `projector.${name}` }, {
    ...rest,
    ...(breaker === undefined
      ? { applyRecords }
      : {
          applyRecords: breaker.guard(applyRecords),
          onAssigned: async () => breaker.onAssigned(),
        }),
  });
}
