import type { ExaminerToken } from '../../../kernel/examinations.ts';
import type { PartyRecorded } from '../../../kernel/parties.ts';
import { createPartyTokens, type PartyTokenPorts } from '../common/party-tokens.ts';

/** What the platform itself asks of each kind of party, by the audience that the checks name. */
const MAIN_AUDIENCE = { provider: 'rtt', carrier: 'authorizations' } as const;
/** Audience of feeds, whatever the party asks tokens for otherwise. */
const FEED_AUDIENCE = 'tracking-pull';

/**
 * The tokens of one run, by the credentials that are registered. What the platform calls the party
 * with must be there; a token for something else, with which the checks show that it opens nothing,
 * is had where the party gives it.
 */
export function registeredTokens(
  party: PartyRecorded, ports: PartyTokenPorts,
): (audience: string) => Promise<ExaminerToken> {
  const { kind, authentication } = party;
  const registered = authentication.kind === 'static' ? undefined : authentication.audience;
  return async (audience) => {
    const isMain = audience === MAIN_AUDIENCE[kind];
    const isOfPlatform = isMain || audience === FEED_AUDIENCE;
    if (!isOfPlatform && (registered === undefined || registered === audience)) {
      return none(`the registered credentials give no token that is for ${audience} alone`, true);
    }
    const reading = await createPartyTokens(ports, isMain ? undefined : audience).current(party);
    if (reading.kind === 'token') return reading;
    return isOfPlatform
      ? none(`no token by the registered credentials (${reading.reason})`, false)
      : none(`the party gives the platform no token for ${audience}`, true);
  };
}

function none(why: string, isOurs: boolean): ExaminerToken {
  return { kind: 'none', why, isOurs };
}
