import { aParty } from '../../../support/command-facts.ts';
import type { WholeEdge } from '../../../support/whole-edge.ts';
import type { WrongCall } from '../wrong-call.ts';

const to = 'send-command';
const before = (at: WholeEdge): Promise<unknown> => at.commands.parties.apply(aParty());
const failed = (at: readonly string[], ...says: readonly string[]): WrongCall['answer'] => (
  { status: 400, code: 'validation_failed', at, says }
);
const travel = { init_date: '2025-11-24T00:00:00Z', end_date: '2025-11-25T00:00:00Z' };
const transport = { id: 987_654, license_plate: 'ABC1D23', country_id: 'BR' };

/** Commands of the platform to providers. */
export const COMMANDS: readonly WrongCall[] = [
  { id: 'CMD-E01', to, before, review: 'enum', mistake: 'a command that is none', grade: 'A', body: { command: 'pause' },
    answer: failed(['/command'], 'must be one of "start_tracking", "stop_tracking"', 'and is "pause"') },
  { id: 'CMD-E02', to, before, review: 'enum', mistake: 'start-tracking', grade: 'A', set: { '/command': 'start-tracking' },
    answer: failed(['/command'], 'did you mean "start_tracking"?') },
  { id: 'CMD-E03', to, before, review: 'because', mistake: 'a start without a transport', grade: 'A', drop: ['/transport'],
    answer: failed(['/transport'], 'is mandatory, because command is start_tracking: an object with id, license_plate and country_id') },
  { id: 'CMD-E04', to, before, mistake: 'a start with a flat transport_id', grade: 'A',
    body: { command: 'start_tracking', transport_id: 987_654 },
    answer: failed(['/transport'], 'transport_id is not a field here') },
  { id: 'CMD-E05', to, before, mistake: 'a plate left out', grade: 'A', drop: ['/transport/license_plate'],
    answer: failed(['/transport/license_plate'], 'is mandatory, because command is start_tracking') },
  { id: 'CMD-E06', to, before, mistake: 'plate for license_plate', grade: 'A', hides: ['XYZ9Z99'],
    drop: ['/transport/license_plate'], set: { '/transport/plate': 'XYZ9Z99' },
    answer: failed(['/transport/license_plate'], 'rename plate, which is not a field here') },
  { id: 'CMD-E07', to, before, review: 'pattern', mistake: 'a request with an id that is no Base64', grade: 'A',
    body: { command: 'process_telemetry_events', id: '###', transport, travel },
    answer: failed(['/id'], 'must be Base64') },
  { id: 'CMD-E08', to, before, mistake: 'routes without any', grade: 'A', body: { command: 'check_planned_routes', planned_routes: [] },
    answer: failed(['/planned_routes'], 'must have at least 1 item') },
  { id: 'CMD-E09', to, before, mistake: 'a route of which all is missing', grade: 'A',
    body: { command: 'check_planned_routes', planned_routes: [{}] },
    answer: failed(['route_id', 'rostering_id', 'estimated_start_date', 'estimated_end_date',
      'estimated_start_monitoring_date', 'estimated_end_monitoring_date', 'country_id', 'carrier', 'vehicles',
      'stops'].map((name) => `/planned_routes/0/${name}`), 'is mandatory, because command is check_planned_routes') },
  { id: 'CMD-E10', to, before, mistake: 'a deadline for a stop', grade: 'A', set: { '/command': 'stop_tracking' },
    answer: { status: 400, code: 'not_allowed', at: ['/query/expires_at'],
      says: ['stop_tracking has no deadline', 'Send it without expires_at'] } },
  { id: 'CMD-E11', to, before, mistake: 'a deadline without offset', grade: 'A', params: { expires_at: '2030-01-31T10:00:00' },
    answer: { status: 400, code: 'invalid_parameter', at: ['/query/expires_at'],
      says: ['expires_at must be an ISO 8601 date-time with an offset'] } },
  { id: 'CMD-E12', to, before, mistake: 'an Idempotency-Key of 300 characters', grade: 'A', headers: { 'idempotency-key': 'k'.repeat(300) },
    answer: { status: 400, code: 'invalid_parameter', at: ['/header/Idempotency-Key'],
      says: ['Idempotency-Key must have 1 to 255 visible ASCII characters'] } },
  { id: 'CMD-E13', to, mistake: 'the key of another command', grade: 'A', headers: { 'idempotency-key': 'twice' },
    set: { '/command': 'stop_tracking' }, params: { expires_at: null },
    before: async (at) => {
      await before(at);
      at.admit(to);
      await (await at.call(to, { headers: { 'idempotency-key': 'twice' } })).text();
    },
    answer: { status: 400, code: 'command_key_reused', at: ['/header/Idempotency-Key'],
      says: ['This key belongs to a command with another body'] } },
  { id: 'CMD-E14', to: 'show-command', mistake: 'a command that is unknown', grade: 'A',
    answer: { status: 404, code: 'command_not_found', says: ['This provider has no such command'] } },
  { id: 'CMD-E15', to: 'list-commands', mistake: 'a state that is none', grade: 'A', params: { state: 'sent' },
    answer: { status: 400, code: 'invalid_parameter', at: ['/query/state'],
      says: ['state must be one of queued, sending, done, refused, ended, cancelled'] } },
  { id: 'CMD-E16', to: 'list-commands', mistake: 'a state with a typing error', grade: 'A', params: { state: 'canceled' },
    answer: { status: 400, code: 'invalid_parameter', at: ['/query/state'], says: ['Did you mean cancelled?'] } },
  { id: 'CMD-E17', to: 'list-commands', mistake: 'a provider with a blank', grade: 'A', params: { provider: 'acme one' },
    answer: { status: 400, code: 'invalid_parameter', at: ['/query/provider'],
      says: ['provider must be the name of a provider in lower case, such as acme-1'] } },
];
