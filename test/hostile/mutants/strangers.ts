import type { HostileMutant } from './mutant.ts';

const HEAD = 'services/adapters/http/stages/head.ts';
const ISSUE_TOKEN = 'services/gateways/oauth/operations/issue-token.ts';

/** Protections against who has no token, or none that is good. */
export const STRANGERS_MUTANTS: readonly HostileMutant[] = [
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
];
