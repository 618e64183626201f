import type { Check, Level, Role } from './check.ts';
import { authorizationFieldChecks } from './checks/authorization-fields.ts';
import { authorizationChecks } from './checks/authorizations.ts';
import { bodyChecks } from './checks/bodies.ts';
import { cancellationChecks } from './checks/cancellations.ts';
import { commandChecks } from './checks/commands.ts';
import { deferredChecks } from './checks/deferred.ts';
import { deliveryChecks } from './checks/deliveries.ts';
import { deviceChecks } from './checks/devices.ts';
import { entityChecks } from './checks/entities.ts';
import { eventChecks } from './checks/events.ts';
import { feedChecks } from './checks/feed.ts';
import { locationChecks } from './checks/locations.ts';
import { notificationCodeChecks } from './checks/notification-codes.ts';
import { notificationChecks } from './checks/notifications.ts';
import { revocationChecks } from './checks/revocation.ts';
import { rttChecks } from './checks/rtt-calls.ts';
import { tokenChecks } from './checks/tokens.ts';

/** Checks of one part of the contract. */
export interface CheckGroup {
  /** The operation, and the number of its endpoint in the contract where it has one. */
  readonly title: string;
  readonly checks: readonly Check[];
}

/** Every check by what it examines, in the order of the endpoints as a counterpart meets them. */
export const CHECK_GROUPS: readonly CheckGroup[] = [
  { title: 'Generate token (2)', checks: tokenChecks },
  { title: 'Revoke token (3)', checks: revocationChecks },
  { title: 'Devices (6, 7, 8)', checks: deviceChecks },
  { title: 'Devices by external entity (7, 8)', checks: entityChecks },
  { title: 'RTT calls in common (6 to 12)', checks: rttChecks },
  { title: 'Bodies (9 to 12)', checks: bodyChecks },
  { title: 'Locations (9)', checks: locationChecks },
  { title: 'Telemetry events (10)', checks: eventChecks },
  { title: 'Deferred events (11)', checks: deferredChecks },
  { title: 'Delivery locations (12)', checks: deliveryChecks },
  { title: 'Tracking notifications (4)', checks: notificationChecks },
  { title: 'Notification codes (4)', checks: notificationCodeChecks },
  { title: 'Authorize shipment (1)', checks: authorizationChecks },
  { title: 'Fields of an authorization (1)', checks: authorizationFieldChecks },
  { title: 'Cancellation', checks: cancellationChecks },
  { title: 'Pull feed', checks: feedChecks },
  { title: 'Provider commands (5)', checks: commandChecks },
];

/** Every check, in the order of its group. */
export const ALL_CHECKS: readonly Check[] = CHECK_GROUPS.flatMap(({ checks }) => checks);

/**
 * The checks of one role; `only` keeps those whose id begins so, `level` those of this level.
 */
export function checksOf(role: Role, only = '', level?: Level): readonly Check[] {
  return ALL_CHECKS.filter((check) => check.role === role && check.id.startsWith(only)
    && (level === undefined || check.level === level));
}

/** Things of checks by the title of their group, in the order of the groups; none is empty. */
export function byGroup<Thing>(
  things: readonly Thing[], checkOf: (thing: Thing) => Check,
): readonly (readonly [title: string, things: readonly Thing[]])[] {
  return CHECK_GROUPS
    .map(({ title, checks }) =>
      [title, things.filter((thing) => checks.includes(checkOf(thing)))] as const)
    .filter(([, found]) => found.length > 0);
}

/** The title of the group that a check belongs to. */
export function groupOf(check: Check): string | undefined {
  return byGroup([check], (each) => each)[0]?.[0];
}
