import type { WrongCall } from '../wrong-call.ts';

const query = (name: string, ...says: readonly string[]): WrongCall['answer'] => (
  { status: 400, code: 'invalid_parameter', at: [`/query/${name}`], says }
);
const fleet = 'list-fleet-fixes';

/** What providers read, and feeds that they follow. */
export const READS: readonly WrongCall[] = [
  { id: 'RDS-01', to: fleet, review: 'bbox', mistake: 'no box', grade: 'A', params: { bbox: null },
    answer: { status: 400, code: 'missing_parameter', at: ['/query/bbox'],
      says: ['The parameter bbox is mandatory: minLon,minLat,maxLon,maxLat'] } },
  { id: 'RDS-02', to: fleet, review: 'bbox', mistake: 'a box of three numbers', grade: 'A', params: { bbox: '-46.7,-23.6,-46.6' },
    answer: query('bbox', 'bbox must be minLon,minLat,maxLon,maxLat in degrees', 'it has 3 numbers') },
  { id: 'RDS-03', to: fleet, review: 'bbox', mistake: 'a box with its latitudes first', grade: 'A', params: { bbox: '-23.6,-146.7,-23.5,-146.6' },
    answer: query('bbox', 'bbox must be minLon,minLat,maxLon,maxLat in degrees') },
  { id: 'RDS-04', to: fleet, mistake: 'a box from north to south', grade: 'A', params: { bbox: '-46.7,-23.5,-46.6,-23.6' },
    answer: query('bbox', 'minLat must not be greater than maxLat') },
  { id: 'RDS-05', to: fleet, review: 'stray', mistake: 'box for bbox', grade: 'A', params: { bbox: null }, more: '&box=1,2,3,4',
    answer: { status: 400, code: 'missing_parameter', at: ['/query/bbox'], says: ['rename box'] } },
  { id: 'RDS-06', to: fleet, mistake: 'limit -1', grade: 'A', params: { limit: '-1' },
    answer: query('limit', 'limit must be a number from 1 to 500') },
  { id: 'RDS-07', to: fleet, mistake: 'a cursor that was changed', grade: 'A', params: { cursor: 'AAAA' },
    answer: query('cursor', 'cursor must be the next_cursor of the page before') },
  { id: 'RDS-08', to: 'show-ingest', mistake: 'the outcome of a call that is unknown', grade: 'A',
    answer: { status: 404, code: 'ingest_not_found', says: ['Nothing is known of such a call'] } },
  { id: 'RDS-09', to: 'show-limits', mistake: 'limits of a country that is not served', grade: 'A', params: { country_id: 'FR' },
    answer: query('country_id', 'not one of the countries served here') },
  { id: 'RDS-10', to: 'show-traceable-fix', mistake: 'a traceable without a country', grade: 'A', params: { country_id: null },
    answer: { status: 400, code: 'missing_parameter', at: ['/query/country_id'], says: ['The parameter country_id is mandatory'] } },
  { id: 'LIV-01', to: 'follow-fixes', mistake: 'a format that is none', grade: 'A', params: { format: 'protobuf' },
    answer: query('format', 'format must be one of json, binary') },
  { id: 'LIV-02', to: 'follow-facts', mistake: 'a kind that is none', grade: 'A', params: { kinds: 'device,position' },
    answer: query('kinds', 'kinds must be some of ', 'each once') },
  { id: 'LIV-03', to: 'follow-facts', mistake: 'a kind with a typing error', grade: 'A', params: { kinds: 'devices' },
    answer: query('kinds', 'Did you mean device?') },
  { id: 'LIV-04', to: 'follow-tracking-facts', mistake: 'a kind twice', grade: 'A', params: { kinds: 'journey,journey' },
    answer: query('kinds', 'each once') },
  { id: 'LIV-05', to: 'follow-platform-fixes', mistake: 'a provider in capitals', grade: 'A', params: { provider: 'ACME' },
    answer: query('provider', 'provider must be the name of a provider in lower case, such as acme-1') },
  { id: 'LIV-06', to: 'follow-platform-facts', mistake: 'a feed with a token for rtt', grade: 'A', as: 'a token for rtt',
    answer: { status: 403, code: 'wrong_audience', says: ['platform, which is needed here'] } },
  { id: 'LIV-07', to: 'follow-operator-facts', mistake: 'a kind of nothing', grade: 'A', params: { kinds: '' },
    answer: query('kinds', 'kinds must be some of ') },
  { id: 'LIV-08', to: 'follow-fixes', mistake: 'a feed by POST', grade: 'A', method: 'POST',
    answer: { status: 405, code: 'method_not_allowed', says: ['This path takes GET and HEAD, not POST'] } },
];
