import { fromCall, changeHeader, ON, bodyHas, changeBody, changeStatus, type Mistake } from './mistake.ts';

const anyForm = changeStatus(ON.commands, 400, 200);

/** Wrong ways of a provider to take commands. */
export const COMMAND_MISTAKES: readonly Mistake[] = [
  {
    check: 'command-tracking', name: 'a repeat refused',
    twist: fromCall(2, ON.commands, changeStatus(ON.commands, 200, 409)),
    complaint: /answered 409, not 200/,
  },
  {
    check: 'command-tracking', name: 'another message',
    twist: changeBody(ON.commands, 200, () => ({ message: 'ok' })), complaint: /message.*"ok"/,
  },
  {
    check: 'command-stop-first', name: 'a stop without start refused',
    twist: changeStatus(ON.commands, 200, 404), complaint: /answered 404, not 200/,
  },
  {
    check: 'command-routes', name: 'routes cannot be cancelled',
    twist: changeStatus(ON.commands, 200, 400, bodyHas('cancel_planned_routes')),
    complaint: /answered 400, not 200/,
  },
  {
    check: 'command-events', name: 'events are not processed',
    twist: changeStatus(ON.commands, 200, 400), complaint: /answered 400, not 200/,
  },
  {
    check: 'command-name', name: 'any command', twist: anyForm,
    complaint: /"dance".*answered 200, not 400/,
  },
  {
    check: 'command-transport', name: 'any transport', twist: anyForm,
    complaint: /without \/transport\/id.*answered 200/,
  },
  {
    check: 'command-route-fields', name: 'any route', twist: anyForm,
    complaint: /geolocation\/longitude.*answered 200/,
  },
  {
    check: 'command-event-fields', name: 'any request', twist: anyForm,
    complaint: /not base64.*answered 200/,
  },
  {
    check: 'command-token', name: '401 without a token',
    twist: changeStatus(ON.commands, 403, 401), complaint: /answered 401, not 403/,
  },
  {
    check: 'command-error-body', name: 'errors as plain JSON',
    twist: changeHeader(ON.commands, 'content-type', 'application/json'), complaint: /content-type/,
  },
];
