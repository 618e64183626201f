import type { WrongCall } from '../wrong-call.ts';

const plan = 'show-replay';
const replay = 'replay-dead-letters';

/** What operators ask about dead letters and the pipeline. */
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
];
