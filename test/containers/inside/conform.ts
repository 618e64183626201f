/** Holds the containers to the conformance kit, each role as a client of its own. */
import { firstToken } from '../../../infra/local/processes/first-token.ts';
import { PROFILES } from '../../../services/conformance/profiles.ts';
import type { Role } from '../../../services/conformance/check.ts';
import { examine, plus, summary, type Totals } from '../../../scripts/conformance/examine.ts';
import { ADDRESSES, answer } from './answer.ts';

/** A role and the credentials of its client. */
export interface RoleClient {
  readonly role: Role;
  readonly clientId: string;
  readonly clientSecret: string;
}

const PROVIDER = { provider: 'demo', country: 'US' } as const;
const FINAL_CODE = 'EX-DELIVERED';
const printed: string[] = [];

/** A check that did not pass, or one of the reasons below it. */
function isWrong(line: string, index: number, lines: readonly string[]): boolean {
  const isReason = (text: string): boolean => /^ {11}\S/.test(text);
  let at = index;
  while (at > 0 && isReason(lines[at] ?? '')) at -= 1;
  return /^(failed|skipped) /.test(lines[at] ?? '');
}


await answer<{ readonly clients: readonly RoleClient[]; readonly commandToken: string }>(
  async ({ clients, commandToken }) => {
    let totals: Totals | undefined;
    for (const { role, clientId, clientSecret } of clients) {
      const identity = { clientId, clientSecret, ...PROVIDER };
      await firstToken({ url: ADDRESSES.gateways, identity });
      const found = await examine({
        targets: { [role]: role === 'provider' ? ADDRESSES.provider : ADDRESSES.gateways },
        tokenTarget: ADDRESSES.gateways, finalCode: FINAL_CODE,
        env: {
          RASTRO_CLIENT_ID: clientId, RASTRO_CLIENT_SECRET: clientSecret,
          RASTRO_PROVIDER: PROVIDER.provider, RASTRO_COUNTRY: PROVIDER.country,
          RASTRO_PROVIDER_COMMAND_TOKEN: commandToken,
        },
      }, { only: '', profile: 'rastro' }, (line) => { printed.push(line); });
      totals = totals === undefined ? found : plus(totals, found);
    }
    if (totals === undefined) throw new Error('No role was examined.');
    const { lines, exitCode } = summary(totals, { decides: PROFILES, isForeign: false });
    const wrong = printed.join('\n').split('\n').filter(isWrong);
    return { lines, isConforming: exitCode === 0, wrong };
  },
);
