import type { Check, Role } from './check.ts';
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

/** Every check, in the order of the endpoints as a counterpart meets them. */
export const ALL_CHECKS: readonly Check[] = [
  ...tokenChecks,
  ...revocationChecks,
  ...deviceChecks,
  ...entityChecks,
  ...rttChecks,
  ...bodyChecks,
  ...locationChecks,
  ...eventChecks,
  ...deferredChecks,
  ...deliveryChecks,
  ...notificationChecks,
  ...notificationCodeChecks,
  ...authorizationChecks,
  ...authorizationFieldChecks,
  ...cancellationChecks,
  ...feedChecks,
  ...commandChecks,
];

/** The checks of one role; `only` keeps those whose id begins so. */
export function checksOf(role: Role, only = ''): readonly Check[] {
  return ALL_CHECKS.filter((check) => check.role === role && check.id.startsWith(only));
}
