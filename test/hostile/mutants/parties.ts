import type { HostileMutant } from './mutant.ts';

const OUTBOUND = 'services/adapters/outbound/outbound.ts';
const EXAMINATION = 'services/domain/examination/examination.ts';
const PARTY_TOKENS = 'services/workers/parties/common/party-tokens.ts';

/** Protections against parties that answer badly. */
export const PARTIES_MUTANTS: readonly HostileMutant[] = [
  {
    name: 'token-as-it-came',
    why: 'What a token looks like is the business of who made it.',
    offender: 'party-with-broken-tokens',
    patches: [
      {
        file: PARTY_TOKENS,
        find: `  if (typeof access_token !== 'string' || !TOKEN.test(access_token)) return undefined;`,
        replace: `  if (typeof access_token !== 'string') return undefined;`,
      },
      {
        // The second net: what HTTP cannot carry ends the call alone.
        file: OUTBOUND,
        find: '  } catch {\n    return undefined;\n  }\n}\n\nfunction readAnswer(',
        replace: '  } catch (error) {\n    throw error;\n  }\n}\n\nfunction readAnswer(',
      },
    ],
  },
  {
    name: 'secret-that-must-open',
    why: 'A secret that cannot be opened is a mistake of the operator, who shall see it.',
    offender: 'poisoned-secret',
    patches: [{
      file: PARTY_TOKENS,
      find: '      return undefined;\n    }\n  }\n\n  async function ask',
      replace: '      throw error;\n    }\n  }\n\n  async function ask',
    }],
  },
  {
    name: 'examinations-at-once',
    why: 'A partner may ask as often as it likes: the worker takes one run of a party at a time.',
    offender: 'examinations-without-end',
    patches: [
      {
        file: EXAMINATION,
        find: '  if (newest !== undefined && isInProgress(newest, nowMs)) {',
        replace: '  if (newest !== undefined && newest.askedAtMs > nowMs) {',
      },
      {
        // The second net: without it twelve begin in an hour.
        file: EXAMINATION,
        find: 'export const ASKS_PER_HOUR_MAX = 12;',
        replace: 'export const ASKS_PER_HOUR_MAX = 12_000;',
      },
    ],
  },
  {
    name: 'answers-without-end',
    why: 'Parties are under contract; what they answer is short and comes soon.',
    offender: 'party-with-endless-bodies',
    patches: [
      {
        file: OUTBOUND,
        find: '    if (bytes + chunk.length <= config.answerBytesMax) chunks.push(chunk);',
        replace: '    if (chunk.length > 0) chunks.push(chunk);',
      },
      {
        // The second net: without it the call would end in time, and the answer with it.
        file: OUTBOUND,
        find: 'AbortSignal.timeout(config.timeoutMs)',
        replace: 'new AbortController().signal',
      },
    ],
  },
];
