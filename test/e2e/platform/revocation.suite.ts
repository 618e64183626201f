import { beforeAll, describe, expect, it } from 'vitest';
import type { PlatformCallWishes, PlatformReply } from '../../support/platform-calls.ts';
import type { TestEnv, TestClient } from '../../support/platform.ts';
import { deviceBody, DEVICES_PATH, type Which } from '../../support/platform-actor.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Revocation through the whole platform (interface, 3). */
export function revocationSuite(at: () => TestEnv): void {
  describe('revocation', () => {
    let client: TestClient;
    let header: string;
    beforeAll(async () => {
      client = await at().addClient('--audience', 'rtt', '--audience', 'revoke');
      header = await at().token(client, 'revoke');
    });
    const revoke = (
      token: string, wishes: PlatformCallWishes = {},
    ): Promise<PlatformReply> => at().call(
      '/oauth/revoke',
      { token: header, body: new URLSearchParams({ token }).toString(), headers: FORM, ...wishes },
    );
    const works = async (token: string, which: Which = 0): Promise<boolean> => {
      const reply = await at().call(DEVICES_PATH, { token, body: deviceBody('E') }, which);
      if (reply.status === 403) expect(reply.body).toMatchObject({ code: 'invalid_token' });
      else expect([200, 201, 208]).toContain(reply.status);
      return reply.status !== 403;
    };

    it('[TOK-16] [TOK-17] [TOK-18] ends one token at once on both gateways, no other', async () => {
      const [token, other] = [await at().token(client), await at().token(client)];
      expect(await works(token, 1)).toBe(true);
      const reply = await revoke(token);
      expect([reply.status, reply.body]).toEqual([200, { status: 'OK' }]);
      expect(await Promise.all([works(token, 0), works(token, 1)])).toEqual([false, false]);
      expect(await Promise.all([works(other, 0), works(other, 1)])).toEqual([true, true]);
      expect((await revoke(token)).status).toBe(200);
      expect(await works(token, 1)).toBe(false);
    });

    it('[TOK-17] refuses every call begun after the answer, under load', async () => {
      const token = await at().token(client);
      let revokedAt = Infinity;
      const late: Promise<boolean>[] = [];
      const ending = revoke(token, {}).then(() => { revokedAt = performance.now(); });
      for (let i = 0; i < 40; i += 1) {
        const begunAt = performance.now();
        const worked = works(token, i % 2 === 0 ? 0 : 1);
        late.push(worked.then((did) => did && begunAt > revokedAt));
        if (i % 8 === 7) await Promise.race([worked, ending]);
      }
      await ending;
      const after = await Promise.all(Array.from({ length: 20 }, (_, i) =>
        works(token, i % 2 === 0 ? 0 : 1)));
      expect([...await Promise.all(late), ...after].some(Boolean)).toBe(false);
    });

    it('[TOK-19] [GEN-12] the header token cannot end itself', async () => {
      const reply = await revoke(header);
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual({ status: 'FAILED', message: expect.any(String) as string });
      const token = await at().token(client);
      expect((await revoke(token)).status).toBe(200);
    });

    it('[GEN-22] reads a body without a type as the form that it is', async () => {
      const token = await at().token(client);
      const reply = await revoke(token, { body: `token=${token}`, headers: { 'content-type': '' } });
      expect([reply.status, await works(token)]).toEqual([200, false]);
    });

    it('[TOK-20] needs a good header token of audience revoke, and else ends nothing', async () => {
      const platform = at();
      const token = await platform.token(client);
      const spent = await platform.token(client, 'revoke');
      expect((await revoke(spent)).status).toBe(200);
      const rtt = await platform.token(client);
      for (const wishes of [
        { headers: { ...FORM, authorization: null } }, { token: spent }, { token: rtt },
        { token: 'x' }, { token: `00${'a'.repeat(43)}` }, { headers: { ...FORM, authorization: '' } },
      ]) {
        const sent = 'token' in wishes ? wishes : { ...wishes, token: '' };
        const reply = await revoke(token, sent);
        expect(reply.status).toBe(401);
        expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/);
        expect(reply.body).toEqual({ status: 'FAILED', message: expect.any(String) as string });
      }
      expect(await works(token)).toBe(true);
    });

    it('[TOK-21] [GEN-13] needs a form with a token', async () => {
      const token = await at().token(client);
      for (const [body, type] of [
        [JSON.stringify({ token }), 'application/json'], [`token=${token}`, 'text/plain'],
        ['', FORM['content-type']], ['token=', FORM['content-type']],
        [`tokens=${token}`, FORM['content-type']], [`token=${token}&token=x`, FORM['content-type']],
        ['token=%ff', FORM['content-type']], [`token=${'x'.repeat(5_000)}`, FORM['content-type']],
      ] as const) {
        const reply = await revoke(token, { body, headers: { 'content-type': type } });
        expect([body.slice(0, 20), reply.status]).toEqual([body.slice(0, 20), 400]);
        expect(reply.body).toEqual({ status: 'FAILED', message: expect.any(String) as string });
      }
      expect(await works(token)).toBe(true);
    });

    it('[TOK-23] answers OK for unknown, foreign and malformed tokens, and ends none', async () => {
      const stranger = await at().addClient('--audience', 'rtt');
      const foreign = await at().token(stranger);
      for (const token of [foreign, `00${'a'.repeat(43)}`, 'ff', 'ünbekannt', ' ', '{}']) {
        const reply = await revoke(token);
        expect([token, reply.status, reply.body]).toEqual([token, 200, { status: 'OK' }]);
      }
      expect(await works(foreign, 1)).toBe(true);
    });

    it('[TOK-17] of all tokens of a client ends each of them on both gateways, and no later one', async () => {
      const platform = at();
      const leaky = await platform.addClient('--audience', 'rtt');
      const old = [await platform.token(leaky), await platform.token(leaky)];
      expect(await Promise.all(old.map((token) => works(token)))).toEqual([true, true]);
      await platform.clientCommand('revoke-tokens', leaky.client_id);
      await Promise.all(old.map((token) => (
        expect.poll(() => works(token, 1), { timeout: 20_000 }).toBe(false))));
      const later = await platform.token(leaky);
      const seen = [...old, later].flatMap((token) => [works(token, 0), works(token, 1)]);
      expect(await Promise.all(seen)).toEqual([false, false, false, false, true, true]);
    });

    it('[TOK-17] a client that is disabled loses its tokens, also once it is enabled again', async () => {
      const platform = at();
      const other = await platform.addClient('--audience', 'rtt');
      const token = await platform.token(other);
      expect(await works(token)).toBe(true);
      await platform.clientCommand('disable', other.client_id);
      await expect.poll(() => works(token, 1), { timeout: 20_000 }).toBe(false);
      await platform.clientCommand('enable', other.client_id);
      const tokenAgain = (): Promise<string> => platform.token(other).catch(() => '');
      await expect.poll(async () => works(await tokenAgain(), 1), { timeout: 20_000 }).toBe(true);
      expect(await Promise.all([works(token, 0), works(token, 1)])).toEqual([false, false]);
    });
  });
}
