import type { Level, Role } from './check.ts';
import type { PatienceConfig } from './patience.ts';
import type { Profile } from './profiles.ts';
import type { Setup } from './session.ts';

/** What one run examines, how, and as whom. */
export interface Options extends Setup, PatienceConfig {
  readonly target: string;
  readonly tokenTarget: string;
  readonly role: Role;
  readonly profile: Profile;
  readonly level: Level | undefined;
  readonly only: string;
  readonly list: boolean;
  /** Everything that must be there before a check is made. */
  readonly addresses: readonly string[];
}

/** The options of a run as the command line gives them. */
export interface Words {
  readonly role: Role;
  readonly profile: Profile;
  readonly level?: Level;
  readonly target?: string;
  readonly tokenTarget?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly provider?: string;
  readonly country?: string;
  readonly commandToken?: string;
  readonly finalCode?: string;
  readonly trackingNumber?: string;
  readonly tokensPerMinute: number;
  readonly deadline: number;
  readonly only: string;
  readonly list: boolean;
}

/** Both levels of a check. */
export const LEVELS: readonly Level[] = ['must', 'should'];

/** The roles of the interface that the kit examines. */
export const ROLES: readonly Role[] = ['receiver', 'provider', 'carrier'];

/**
 * Reads the options; the environment stands behind them, and secrets are better put there. Gives
 * one sentence when something is missing or wrong.
 */
export function readOptions(flags: Words, env: NodeJS.ProcessEnv): Options | string {
  const { role, profile } = flags;
  const target = flags.target ?? env['RASTRO_URL'] ?? '';
  const tokenTarget = flags.tokenTarget ?? env['RASTRO_TOKEN_URL'] ?? target;
  const clientId = flags.clientId ?? env['RASTRO_CLIENT_ID'] ?? '';
  const clientSecret = flags.clientSecret ?? env['RASTRO_CLIENT_SECRET'] ?? '';
  const commandToken = flags.commandToken ?? env['RASTRO_PROVIDER_COMMAND_TOKEN'];
  const needsClient = role !== 'provider' || commandToken === undefined;
  if (!flags.list) {
    const bad = [target, tokenTarget].find((address) => !isAddress(address));
    if (bad !== undefined) return `--target must be an http address, not "${bad}".`;
    if (needsClient && (clientId === '' || clientSecret === '')) {
      return 'Give --client-id and --client-secret, or RASTRO_CLIENT_ID and RASTRO_CLIENT_SECRET.';
    }
  }
  return {
    target, tokenTarget, clientId, clientSecret, commandToken, role, profile, level: flags.level,
    provider: flags.provider ?? env['RASTRO_PROVIDER'] ?? 'demo',
    country: flags.country ?? env['RASTRO_COUNTRY'] ?? 'US',
    finalCode: flags.finalCode ?? env['RASTRO_FINAL_CODE'],
    trackingNumber: flags.trackingNumber,
    tokensPerMinute: flags.tokensPerMinute,
    deadlineSeconds: flags.deadline,
    only: flags.only,
    list: flags.list,
    addresses: [...new Set(needsClient ? [target, tokenTarget] : [target])],
  };
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
