import { aRequest } from '../../support/authorization-facts.ts';
import type { Probe } from '../../support/isolation/calls.ts';
import type { Planted } from './planted.ts';

const get = (path: string): Probe => ({ method: 'GET', path });
const post = (path: string, body?: object): Probe => (
  { method: 'POST', path, ...(body === undefined ? {} : { body }) });
const isoNow = (): string => new Date().toISOString();
const REASON = 'a test of what is shown to whom';

/** How each operation of the platform and of the console is called about things. */
export const OTHER_CASES: Readonly<Record<string, (things: Planted) => Probe>> = {
  'list-transport-devices': ({ transport }) => get(`/platform/transports/${transport}/devices`),
  'show-transport-fix': ({ transport }) => get(`/platform/transports/${transport}/last_position`),
  'list-platform-fleet': () => get('/platform/fleet/last_positions?bbox=-180,-90,180,90'),
  'list-platform-entity-devices': ({ entity }) => (
    get(`/platform/devices?external_entity_id=${encodeURIComponent(entity)}`)),
  'show-platform-device': ({ device }) => get(`/platform/devices/${device}`),
  'show-platform-track': ({ device }) => get(`/platform/devices/${device}/track`),
  'show-platform-ingest': ({ ingest }) => get(`/platform/ingest/${ingest}`),
  'list-platform-shipments': ({ transportOrder }) => (
    get(`/platform/shipments?transport_order_id=${transportOrder}`)),
  'show-platform-shipment': ({ shipment }) => get(`/platform/shipments/${shipment}`),
  'show-platform-journey': ({ shipment }) => get(`/platform/shipments/${shipment}/journey`),
  'show-platform-place': ({ shipment }) => get(`/platform/shipments/${shipment}/last_place`),
  'send-authorization': ({ party, transportOrder }) => (
    post(`/platform/carriers/${party}/authorizations`, aRequest({
      id: 41, transport_order_id: transportOrder,
    }))),
  'resend-authorization': ({ call }) => post(`/platform/authorizations/${call}/resend`, {}),
  'cancel-authorization': ({ call }) => post(`/platform/authorizations/${call}/cancellation`),
  'list-authorizations': () => get('/platform/authorizations'),
  'show-authorization': ({ call }) => get(`/platform/authorizations/${call}`),
  'list-commands': ({ command }) => get(`/platform/commands?command_id=${command}`),
  'list-platform-past-fleet': () => get(`/platform/live/fleet?at=${isoNow()}`),
  'follow-platform-fixes': () => get('/platform/live/positions'),
  'follow-platform-facts': () => get('/platform/live/facts'),
  'follow-operator-facts': () => get('/operator/live/facts'),
  'list-dead-letters': () => get('/operator/dead_letters'),
  'show-replay': () => get('/operator/dead_letters/replay?signature=0123456789abcdef'),
  'replay-dead-letters': () => post('/operator/dead_letters/replay', {
    signature: '0123456789abcdef', until: isoNow(), reason: REASON,
  }),
  'show-pipeline': () => get('/operator/pipeline'),
  'list-audits': () => get('/operator/audits'),
  'list-overflow': () => get('/operator/overflow'),
  'decide-overflow': ({ device }) => post('/operator/overflow', {
    subject: `device:${device}`, state: 'in', reason: REASON,
  }),
  'show-openapi': () => get('/openapi.json'),
  'show-docs': () => get('/docs'),
  'show-interface': () => get('/docs/api'),
  'show-problem': () => get('/problems/invalid_token'),
  'console-page': () => get('/console/'),
  'open-session': () => post('/console/session'),
  'show-session': () => get('/console/session'),
  'end-session': () => post('/console/session/end'),
};
