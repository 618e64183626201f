import type {
  ClaimAnswer, DeviceStage, DeviceRegistered, DeviceTrackingStarted, DeviceTrackingStopped,
} from '../../kernel/devices.ts';
import type { Claim, DeviceState, EntityState } from './projection.ts';

/** The answer to a claim; when it is taken, the state with it. */
export type Claimed<State> =
  | { readonly answer: 'busy' | 'moved' }
  | { readonly answer: 'taken'; readonly state: State };

/** Who claims, until when, and what time it is. */
export interface Claimant {
  readonly id: string;
  readonly untilMs: number;
  readonly nowMs: number;
}

/**
 * Claims the next generation of an entity, whose newest device is `device`: it must be stopped, or
 * gone, as those are that stopped long ago. A stop that is not in the log yet has not happened: its
 * caller will ask again.
 */
export function claimRegistration(
  entity: EntityState, device: DeviceState | undefined,
  { generation }: Pick<DeviceRegistered, 'generation'>, by: Claimant,
): Claimed<EntityState> {
  if ((entity.newest?.generation ?? 0) !== generation - 1) return { answer: 'moved' };
  if (entity.newest !== undefined) {
    if (device?.stop_from !== undefined) return { answer: 'busy' };
    if (device !== undefined && device.stage !== 3) return { answer: 'moved' };
  }
  if (isAnothers(entity.claim, by)) return { answer: 'busy' };
  return { answer: 'taken', state: { ...entity, claim: claimOf(by, generation) } };
}

/**
 * Claims a start or a stop that was decided at stage `from`. A stop denies in this very step: the
 * stage that admission sees becomes 3, and `stop_from` keeps the one that the log knows.
 */
export function claimTransition(
  device: DeviceState | undefined, from: DeviceStage,
  event: Pick<DeviceTrackingStarted | DeviceTrackingStopped, 'client_id' | 'epoch'>, by: Claimant,
): Claimed<DeviceState> {
  if (device?.registration === undefined || device.owner !== event.client_id) {
    return { answer: 'moved' };
  }
  if (isAnothers(device.claim, by)) return { answer: 'busy' };
  const answer = answerTo(device, from, event.epoch);
  if (answer !== 'taken') return { answer };
  const denied = event.epoch === 3 && device.stop_from === undefined
    ? { stage: 3 as const, stop_from: device.stage } : {};
  return { answer, state: { ...device, ...denied, claim: claimOf(by, event.epoch) } };
}

/** The same without a claim that was given back. */
export function withoutClaim<State extends { readonly claim?: Claim }>(
  state: State, claimId: string,
): State {
  if (state.claim?.id !== claimId) return state;
  const { claim: _, ...rest } = state;
  return rest as State;
}

function answerTo({ stage, stop_from }: DeviceState, from: DeviceStage, to: 2 | 3): ClaimAnswer {
  if (stop_from !== undefined) {
    if (to !== 3) return 'busy';
    return from === stop_from || from === 3 ? 'taken' : 'moved';
  }
  return stage === from && to > stage ? 'taken' : 'moved';
}

function isAnothers(claim: Claim | undefined, { id, nowMs }: Claimant): boolean {
  return claim !== undefined && claim.id !== id && claim.until_ms > nowMs;
}

function claimOf({ id, untilMs }: Claimant, stage: number): Claim {
  return { id, stage, until_ms: untilMs };
}
