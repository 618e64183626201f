import { describe, expect, it } from 'vitest';
import { readReplicas, replicasIn } from '../../../services/adapters/config/replicas.ts';
import { readConfig } from '../../../services/adapters/config/read-config.ts';
import { workersSettings } from '../../../services/adapters/config/workers.ts';
import { clickHouseConfigOf, consumerConfigOf } from '../../../services/workers/assemble-config.ts';
import { groupOf, replicaGroupOf, WORKERS } from '../../../services/workers/workers.ts';

const ENV = {
  KAFKA_BROKERS: 'k:9092', SCHEMA_REGISTRY_URL: 'http://r', REDIS_URL: 'redis://s',
  CLICKHOUSE_URL: 'http://c',
};
const groups = (replica?: string) => {
  const config = readConfig('workers', workersSettings, {
    ...ENV, CLICKHOUSE_REPLICAS: 'b=http://other',
    ...(replica === undefined ? {} : { RASTRO_CLICKHOUSE_REPLICA: replica }),
  });
  return WORKERS.map(({ id }) => consumerConfigOf(config, id).group);
};

describe('A further replica of the tables', () => {
  it('is followed by groups of its own, and by no other worker', () => {
    expect(groups('b').filter((group) => !groups().includes(group)))
      .toEqual(['rastro.table-writer@b', 'rastro.table-writer.overflow@b']);
    expect(groups()).toEqual(WORKERS.map(({ id }) => groupOf(id)));
    expect(replicaGroupOf('journey', 'b')).toBe('rastro.journey');
  });

  it('is the one of its name, at its address', () => {
    const urlWith = (env: object) => clickHouseConfigOf(
      readConfig('workers', workersSettings, { ...ENV, CLICKHOUSE_REPLICAS: 'b=http://other', ...env }),
    ).url;
    expect(urlWith({})).toBe('http://c');
    expect(urlWith({ RASTRO_CLICKHOUSE_REPLICA: 'b' })).toBe('http://other');
    expect(() => urlWith({ RASTRO_CLICKHOUSE_REPLICA: 'd' })).toThrow('does not name');
  });

  it.each(['B', 'b@c', 'b c', '1', 'a-very-long-name-of-a-replica'])('is not named %j', (name) => {
    expect(() => groups(name)).toThrow('RASTRO_CLICKHOUSE_REPLICA');
  });

  it('is named with its address, in order', () => {
    expect(replicasIn(['b=https://clickhouse-b:8443', 'c=http://c/?a=b'])).toEqual([
      { name: 'b', url: 'https://clickhouse-b:8443' }, { name: 'c', url: 'http://c/?a=b' },
    ]);
  });

  it('is read from the environment of commands', () => {
    expect(readReplicas('b=http://c, d=http://e,')).toEqual([
      { name: 'b', url: 'http://c' }, { name: 'd', url: 'http://e' },
    ]);
    expect(readReplicas(undefined)).toEqual([]);
  });

  it.each([
    ['https://clickhouse-b:8443'], ['b'], ['b='], ['b=clickhouse'], ['=http://c'], ['b=http://'],
    ['b=http://c', 'b=http://d'],
  ])('is refused when it is written as %j', (...entries) => {
    expect(() => replicasIn(entries)).toThrow('CLICKHOUSE_REPLICAS');
  });
});
