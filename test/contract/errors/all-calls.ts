import { ACCESS } from './calls/access.ts';
import { AUTHORIZATIONS } from './calls/authorizations.ts';
import { COMMANDS } from './calls/commands.ts';
import { DELIVERY } from './calls/delivery.ts';
import { DEVICES } from './calls/devices.ts';
import { EVENTS } from './calls/events.ts';
import { HTTP } from './calls/http.ts';
import { JSON_TEXTS } from './calls/json.ts';
import { LOCATION_FORMS } from './calls/locations-form.ts';
import { LOCATION_VALUES } from './calls/locations-values.ts';
import { NOTIFICATIONS } from './calls/notifications.ts';
import { OPERATOR } from './calls/operator.ts';
import { PLATFORM } from './calls/platform.ts';
import { READS } from './calls/reads.ts';
import { ROUTES } from './calls/routes.ts';
import { TOKENS } from './calls/tokens.ts';
import type { WrongCall } from './wrong-call.ts';

/** Every wrong call, by what it is about, in the order of the page. */
export const SECTIONS: Readonly<Record<string, readonly WrongCall[]>> = {
  'Who may call': ACCESS,
  'Tokens': TOKENS,
  'Paths and methods': ROUTES,
  'HTTP, headers and parameters': HTTP,
  'JSON': JSON_TEXTS,
  'Locations: values': LOCATION_VALUES,
  'Locations: form, limits and devices': LOCATION_FORMS,
  'Devices': DEVICES,
  'Events': EVENTS,
  'Delivery': DELIVERY,
  'Notifications and journeys': NOTIFICATIONS,
  'Authorizations': AUTHORIZATIONS,
  'Commands': COMMANDS,
  'The platform': PLATFORM,
  'Reading and following': READS,
  'Dead letters': OPERATOR,
};

/** Every wrong call. */
export const WRONG_CALLS: readonly WrongCall[] = Object.values(SECTIONS).flat();
