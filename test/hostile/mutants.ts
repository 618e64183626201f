import type { Patch } from '../faults/cluster/copy-product.ts';
import { COMMAND_KEY_NOT_CHECKED } from '../faults/mutants/state.ts';

/** A protection taken out of a copy of the product: its offender must then do harm. */
export interface HostileMutant {
  readonly name: string;
  /** What an author might believe in good faith when writing it. */
  readonly why: string;
  readonly offender: string;
  readonly patches: readonly Patch[];
}

const HEAD = 'services/adapters/http/stages/head.ts';
const ISSUE_TOKEN = 'services/gateways/oauth/operations/issue-token.ts';
const WEBHOOK_SENDER = 'services/workers/parties/webhooks/webhook-sender.ts';
const EXAMINATION = 'services/domain/examination/examination.ts';
const PARTY_TOKENS = 'services/workers/parties/common/party-tokens.ts';

/** Protections, each with the mistake that would take it away. */
export const HOSTILE_MUTANTS: readonly HostileMutant[] = [
  {
    name: 'body-before-head',
    why: 'A call is authorized once, when all of it is there.',
    offender: 'invented-token-with-bomb',
    patches: [
      {
        file: HEAD,
        find: `  return operation.bodyKind === 'none' ? undefined : inspectHead(tools, context);`,
        replace: '  return undefined;',
      },
      {
        // The second net: without it an address soon waits.
        file: HEAD,
        find: `    if (waitSeconds > 0) return tooManyBadTokens(waitSeconds);`,
        replace: '',
      },
      {
        // The third: without it the cost of a body ends early.
        file: 'services/kernel/limits.ts',
        find: 'export const BODY_VALUES_MAX = 150_000;',
        replace: 'export const BODY_VALUES_MAX = 150_000_000;',
      },
    ],
  },
  {
    name: 'values-without-limit',
    why: 'The limit of bytes is enough: a value has at least one byte.',
    offender: 'many-values',
    patches: [{
      file: 'services/kernel/limits.ts',
      find: 'export const BODY_VALUES_MAX = 150_000;',
      replace: 'export const BODY_VALUES_MAX = 150_000_000;',
    }],
  },
  {
    name: 'lines-without-limit',
    why: 'The server has a limit of connections already.',
    offender: 'idle-lines',
    patches: [{
      file: 'services/adapters/http/server/open-server.ts',
      find: '  limitConnections(server, config);\n',
      replace: '',
    }],
  },
  {
    name: 'requests-without-waiting',
    why: 'HTTP lets a caller send requests before it has the answers; Node keeps their order.',
    offender: 'pipelined-requests',
    patches: [{
      file: 'services/adapters/http/server/open-server.ts',
      find: '    if (!mayServe(request, response)) return;\n',
      replace: '',
    }],
  },
  {
    name: 'bad-tokens-at-once',
    why: 'A token that is not good costs one read; to count those costs another.',
    offender: 'flood-of-bad-tokens',
    patches: [{
      file: HEAD,
      find: `    if (waitSeconds > 0) return tooManyBadTokens(waitSeconds);`,
      replace: '',
    }],
  },
  {
    name: 'bad-tokens-not-made-up-for',
    why: 'A bad token is a bad token, whatever else its address sends.',
    // Honest callers end their tokens all the time, and try them once more.
    offender: 'flood-of-bad-tokens',
    patches: [{
      file: 'services/adapters/http/bad-tokens.ts',
      find: '    makeUp: (addressOf) => { firstTries.makeUp(addressOf); },',
      replace: '    makeUp: () => undefined,',
    }],
  },
  {
    name: 'strangers-without-limit',
    why: 'Behind a balancer all callers may share one address, so none may wait for it.',
    offender: 'flood-of-token-requests',
    patches: [{
      file: ISSUE_TOKEN,
      find: '  return ofAddress.allowed ? states.recordTokenFailure(clientId, source) : ofAddress;',
      replace: '  return { ...ofAddress, allowed: true };',
    }],
  },
  {
    name: 'secrets-without-wait',
    why: 'A secret of 256 bits is never guessed.',
    offender: 'wrong-secrets',
    patches: [{
      file: ISSUE_TOKEN,
      find: '  if (!quota.allowed) return tooMany(quota);',
      replace: '',
    }],
  },
  {
    name: 'large-bodies-at-once',
    why: 'Large bodies are rare; to let them wait costs the carrier time.',
    offender: 'flood-of-bytes',
    patches: [{
      file: 'services/adapters/http/large-bodies.ts',
      find: '      if (bytes < largeBodyBytesMin) return undefined;',
      replace: '      if (bytes >= 0) return undefined;',
    }],
  },
  {
    name: 'limits-that-always-fit',
    why: 'Clients keep to what was agreed; a limit only costs them data.',
    offender: 'flood-of-locations',
    patches: [
      {
        file: 'services/adapters/redis/scripts/gcra.lua',
        find: '  return bucket.tat - bucket.now + least <= bucket.window',
        replace: '  return true',
      },
      {
        // The second net: all clients of one user have limits too.
        file: HEAD,
        find: '  return tenants.limit(await withOverdue(',
        replace: '  return (await withOverdue(',
      },
    ],
  },
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
        file: 'services/adapters/outbound/outbound.ts',
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
        file: 'services/adapters/outbound/outbound.ts',
        find: '    if (bytes + chunk.length <= config.answerBytesMax) chunks.push(chunk);',
        replace: '    if (chunk.length > 0) chunks.push(chunk);',
      },
      {
        // The second net: without it the call would end in time, and the answer with it.
        file: 'services/adapters/outbound/outbound.ts',
        find: 'AbortSignal.timeout(config.timeoutMs)',
        replace: 'new AbortController().signal',
      },
    ],
  },
  {
    name: 'size-known-late',
    why: 'The log says itself when a record is too large.',
    offender: 'oversized-records',
    patches: [
      {
        file: 'services/gateways/notifications/operations/push-notifications.ts',
        find: '  if (large !== undefined) {',
        replace: '  if (large !== undefined && text === \'\') {',
      },
      {
        file: 'services/adapters/http/serve-call.ts',
        find: '  if (error instanceof RecordTooLarge) return',
        replace: '  if (error instanceof RecordTooLarge && context === undefined) return',
      },
    ],
  },
  {
    name: 'first-come-first-served',
    why: 'Who notifies first about a number will be its carrier.',
    offender: 'squatted-numbers',
    patches: [{
      file: 'services/domain/journey/owner.ts',
      find: '  if (first === undefined) return undefined;',
      replace: '  if (first === undefined || longest > 0) return undefined;',
    }],
  },
  {
    name: 'notifications-are-calls',
    why: 'The limits of calls and of bytes are enough for notifications.',
    offender: 'squatted-numbers',
    patches: [{
      file: 'services/gateways/notifications/operations/push-notifications.ts',
      find: '({ notifications: Array.isArray(body) ? body.length : 1 })',
      replace: '({ notifications: Array.isArray(body) ? 1 : 1 })',
    }],
  },
  {
    name: 'another-command-each-time',
    why: 'A platform that repeats a command wants it to be sent again.',
    offender: 'repeated-commands',
    patches: COMMAND_KEY_NOT_CHECKED,
  },
  {
    name: 'pictures-without-slots',
    why: 'The limit of calls is enough: a page of the past is one call.',
    offender: 'storm-of-pictures',
    patches: [
      {
        file: 'services/gateways/common/tenant-slots.ts',
        find: '    if (own.held > waitingMax) return undefined;',
        replace: '',
      },
      {
        // The second net: without it who waits too long is refused instead.
        file: 'services/gateways/common/tenant-slots.ts',
        find: 'const WAIT_MS_MAX = 3_000;',
        replace: 'const WAIT_MS_MAX = 600_000;',
      },
    ],
  },
  {
    name: 'followers-without-limit',
    why: 'A copy takes 2,000 followers; whose they are is no matter.',
    offender: 'followers-that-do-not-read',
    patches: [{
      file: 'services/gateways/live/limits.ts',
      find: '  clientViewersMax: 200,',
      replace: '  clientViewersMax: 2_000,',
    }],
  },
  {
    name: 'one-party-of-all-webhooks',
    why: 'Slots limit what is in flight to receivers, and all webhooks are of one kind.',
    offender: 'webhooks-that-never-answer',
    patches: [{
      file: WEBHOOK_SENDER,
      find: '      partyId: webhook_id,',
      replace: "      partyId: 'webhooks',",
    }],
  },
];
