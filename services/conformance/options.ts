import { parseArgs } from 'node:util';
import type { Role } from './check.ts';
import type { Setup } from './session.ts';

/** What one run examines, how, and as whom. */
export interface Options extends Setup {
  readonly target: string;
  readonly tokenTarget: string;
  readonly role: Role;
  readonly only: string;
  readonly list: boolean;
}

const FLAGS = {
  'target': { type: 'string' },
  'role': { type: 'string' },
  'token-target': { type: 'string' },
  'client-id': { type: 'string' },
  'client-secret': { type: 'string' },
  'provider': { type: 'string' },
  'country': { type: 'string' },
  'command-token': { type: 'string' },
  'final-code': { type: 'string' },
  'tracking-number': { type: 'string' },
  'only': { type: 'string', default: '' },
  'list': { type: 'boolean', default: false },
} as const;

const ROLES: readonly string[] = ['receiver', 'provider', 'carrier'];

/**
 * Reads the flags, behind which the environment stands; secrets are better put there. Gives one
 * sentence when something is missing or wrong.
 */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options | string {
  const flags = readFlags(args);
  if (typeof flags === 'string') return flags;
  const { role } = flags;
  if (role === undefined || !ROLES.includes(role)) {
    return `--role must be one of ${ROLES.join(', ')}.`;
  }
  const target = flags.target ?? env['RASTRO_URL'] ?? '';
  const tokenTarget = flags['token-target'] ?? env['RASTRO_TOKEN_URL'] ?? target;
  const clientId = flags['client-id'] ?? env['RASTRO_CLIENT_ID'] ?? '';
  const clientSecret = flags['client-secret'] ?? env['RASTRO_CLIENT_SECRET'] ?? '';
  const commandToken = flags['command-token'] ?? env['RASTRO_PROVIDER_COMMAND_TOKEN'];
  if (!flags.list) {
    const bad = [target, tokenTarget].find((address) => !isAddress(address));
    if (bad !== undefined) return `--target must be an http address, not "${bad}".`;
    const needsClient = role !== 'provider' || commandToken === undefined;
    if (needsClient && (clientId === '' || clientSecret === '')) {
      return 'Give --client-id and --client-secret, or RASTRO_CLIENT_ID and RASTRO_CLIENT_SECRET.';
    }
  }
  return {
    target, tokenTarget, clientId, clientSecret, commandToken, role: role as Role,
    provider: flags.provider ?? env['RASTRO_PROVIDER'] ?? 'demo',
    country: flags.country ?? env['RASTRO_COUNTRY'] ?? 'US',
    finalCode: flags['final-code'] ?? env['RASTRO_FINAL_CODE'],
    trackingNumber: flags['tracking-number'],
    only: flags.only,
    list: flags.list,
  };
}

function readFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, strict: true }).values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
