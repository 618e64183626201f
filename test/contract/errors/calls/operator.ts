import type { WrongCall } from '../wrong-call.ts';

const plan = 'show-replay';
const replay = 'replay-dead-letters';
const audits = 'list-audits';

/** What operators ask about dead letters, the pipeline and audits. */
export const OPERATOR: readonly WrongCall[] = [
  { id: 'OPR-01', to: 'list-dead-letters', mistake: 'dead letters without the scope of operators', grade: 'A',
    as: 'a token without the scope',
    answer: { status: 403, code: 'insufficient_scope', says: ['lacks the scope admin'] } },
  { id: 'OPR-02', to: replay, mistake: 'a replay with a token for rtt', grade: 'A', as: 'a token for rtt',
    answer: { status: 403, code: 'wrong_audience', says: ['platform, which is needed here'] } },
  { id: 'OPR-03', to: plan, mistake: 'a dry run of no signature', grade: 'A', params: { signature: null },
    answer: { status: 400, code: 'missing_parameter', at: ['/query/signature'],
      says: ['signature must be 16 hexadecimal digits in lower case, as list-dead-letters gives it'] } },
  { id: 'OPR-04', to: plan, mistake: 'a signature in capitals', grade: 'A', params: { signature: '9F2C41D07B3E8A56' },
    answer: { status: 400, code: 'invalid_parameter', at: ['/query/signature'],
      says: ['signature must be 16 hexadecimal digits in lower case'] } },
  { id: 'OPR-05', to: replay, mistake: 'a replay without a reason', grade: 'A', drop: ['/reason'],
    answer: { status: 400, code: 'validation_failed', at: ['/reason'], says: ['/reason is mandatory'] } },
  { id: 'OPR-06', to: replay, mistake: 'a replay without a dry run', grade: 'A', drop: ['/until'],
    answer: { status: 400, code: 'validation_failed', at: ['/until'], says: ['/until is mandatory'] } },
  { id: 'OPR-07', to: replay, mistake: 'seconds for until', grade: 'A', set: { '/until': 1_764_000_000 },
    answer: { status: 400, code: 'validation_failed', at: ['/until'], says: ['/until'] } },
  { id: 'OPR-08', to: 'show-pipeline', mistake: 'the pipeline without the scope of operators', grade: 'A',
    as: 'a token without the scope',
    answer: { status: 403, code: 'insufficient_scope', says: ['lacks the scope admin'] } },
  { id: 'OPR-09', to: 'show-pipeline', mistake: 'the pipeline with a token for rtt', grade: 'A', as: 'a token for rtt',
    answer: { status: 403, code: 'wrong_audience', says: ['platform, which is needed here'] } },
  { id: 'OPR-10', to: audits, mistake: 'audits without the scope of operators', grade: 'A',
    as: 'a token without the scope',
    answer: { status: 403, code: 'insufficient_scope', says: ['lacks the scope admin'] } },
  { id: 'OPR-11', to: audits, mistake: 'audits about a number without its kind', grade: 'A',
    params: { subject: '1Z999' },
    answer: { status: 400, code: 'invalid_parameter', at: ['/query/subject'],
      says: ['subject must be kind:id, the kind one of client, party'] } },
  { id: 'OPR-12', to: audits, mistake: 'audits of commands with an empty name', grade: 'A',
    params: { command: 'dlq,' },
    answer: { status: 400, code: 'invalid_parameter', at: ['/query/command'],
      says: ['command must be beginnings of names, divided by commas'] } },
  { id: 'OPR-13', to: audits, mistake: 'audits of more than 31 days', grade: 'A',
    params: { since: '2025-01-01T00:00:00Z', until: '2025-12-01T00:00:00Z' },
    answer: { status: 400, code: 'invalid_parameter', at: ['/query/since'],
      says: ['since must be at most 31 days before until'] } },
];
