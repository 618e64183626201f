import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gatewaysSettings } from '../../../services/adapters/config/gateways.ts';
import { readConfig } from '../../../services/adapters/config/read-config.ts';
import { GATEWAY_ROOMS } from '../../../services/gateways/gateways.ts';
import {
  NONE, requireDecisions, SETTINGS_PAGE, trustedProxiesOf,
} from '../../../services/gateways/require-decisions.ts';

const LEAST = {
  KAFKA_BROKERS: 'kafka:9092', SCHEMA_REGISTRY_URL: 'http://registry', REDIS_URL: 'redis://redis',
  RASTRO_SECRET_PEPPER: 'a-pepper-of-the-test', RASTRO_PERSONAL_KEY: `own:${'A'.repeat(43)}=`,
};
const DECIDED = {
  RASTRO_TRUSTED_PROXIES: NONE, RASTRO_CARRIER_CLIENT_ID: NONE,
  RASTRO_IMAGE_KEY: `${'A'.repeat(43)}=`, CLICKHOUSE_URL: 'http://clickhouse:8123',
};
const start = (env: Readonly<Record<string, string>>, rooms = GATEWAY_ROOMS) => () => {
  requireDecisions(rooms, readConfig('gateways', gatewaysSettings, { ...LEAST, ...env }));
};

describe('a gateway that other machines can reach', () => {
  const open = { RASTRO_HTTP_HOST: '0.0.0.0' };

  it.each(Object.keys(DECIDED))('does not start before %s is decided, and says so', (name) => {
    const { [name]: _, ...others } = { ...DECIDED } as Record<string, string>;
    const sentence = new RegExp(`^${name} is not (decided|.*)`);
    expect(start({ ...open, ...others })).toThrow(sentence);
    expect(start({ ...open, ...others })).toThrow(`(${SETTINGS_PAGE}).`);
    expect(start({ ...open, ...DECIDED })).not.toThrow();
  });

  it('names all that is open in one sentence, of the rooms that it has', () => {
    expect(start(open)).toThrow(/TRUSTED_PROXIES.*; RASTRO_CARRIER_CLIENT_ID.*; RASTRO_IMAGE_KEY.*; CLICKHOUSE_URL/);
    const { RASTRO_TRUSTED_PROXIES } = DECIDED;
    expect(start({ ...open, RASTRO_TRUSTED_PROXIES }, ['georeceiver', 'devices'])).not.toThrow();
  });

  it.each(GATEWAY_ROOMS)('asks in room %s whose address a caller has: its limits count by it', (room) => {
    const { RASTRO_TRUSTED_PROXIES: _, ...others } = DECIDED;
    expect(start({ ...open, ...others }, [room])).toThrow(/^RASTRO_TRUSTED_PROXIES is not decided/);
  });

  it('takes no place-holder for the id of a client', () => {
    expect(start({ ...open, ...DECIDED, RASTRO_CARRIER_CLIENT_ID: 'your-carrier-client-id' }))
      .toThrow(/RASTRO_CARRIER_CLIENT_ID is not valid.*docs\/how-to\/settings\.md/);
  });
});

describe('a decision', () => {
  it.each(['127.0.0.1', 'localhost', '::1'])('is not asked for on %s', (host) => {
    expect(start({ RASTRO_HTTP_HOST: host })).not.toThrow();
  });

  it('that nothing is in front trusts no proxy', () => {
    expect(trustedProxiesOf([NONE])).toEqual([]);
    expect(trustedProxiesOf(['10.0.0.0/8'])).toEqual(['10.0.0.0/8']);
  });

  it('is explained on a page that exists', () => {
    expect(existsSync(SETTINGS_PAGE)).toBe(true);
  });
});
