import { describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { CONSUMER_PORTS } from '../../../services/cli/consumer/assemble.ts';
import { consumerCommand } from '../../../services/cli/consumer/command.ts';

const FIXES = TOPICS.locations.name;
const add = (...words: readonly string[]) => consumerCommand(CONSUMER_PORTS, ['add', ...words]);

describe('rastro consumer', () => {
  it('prints a KafkaUser that reads the named topics in groups of its own, and nothing else', async () => {
    const { exitCode, lines } = await add('maps', '--topic', FIXES, '--topic', FIXES);
    expect(exitCode).toBe(0);
    expect(JSON.parse(lines.join('\n'))).toMatchObject({
      kind: 'KafkaUser', metadata: { name: 'maps' },
      spec: {
        authentication: { type: 'scram-sha-512' },
        authorization: {
          acls: [
            {
              resource: { type: 'topic', name: FIXES, patternType: 'literal' },
              operations: ['Read', 'Describe'],
            },
            {
              resource: { type: 'group', name: 'maps.', patternType: 'prefix' },
              operations: ['Read', 'Describe', 'Delete'],
            },
          ],
        },
      },
    });
  });

  it('prints commands of Kafka that hold no password', async () => {
    const { lines } = await add('maps', '--topic', FIXES, '--as', 'kafka');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('--entity-name maps --add-config "SCRAM-SHA-512=[password=$CONSUMER_PASSWORD]"');
    expect(lines[1]).toMatch(/--allow-principal User:maps --operation Read --operation Describe --topic rtt\.locations\.v1$/);
    expect(lines[2]).toContain('--group maps. --resource-pattern-type prefixed');
  });

  it.each(Object.values(TOPICS).filter(({ visibility }) => visibility === 'internal')
    .map(({ name }) => name))('refuses the internal topic %s, and names the public ones', async (name) => {
    const { exitCode, lines } = await add('maps', '--topic', FIXES, '--topic', name);
    expect(exitCode).toBe(2);
    expect(lines.join('')).toContain(`${name} is no public topic. Public are ${FIXES}`);
  });

  it.each(['workers', 'operator', 'rastro', 'rastro-read', 'Maps', 'maps.', '-maps', '', 'm'.repeat(53)])(
    'refuses the name "%s"', async (name) => {
      expect((await add('--topic', FIXES, '--', name)).exitCode).toBe(2);
    },
  );

  it('refuses another form, and a consumer of nothing', async () => {
    expect((await add('maps', '--topic', FIXES, '--as', 'xml')).exitCode).toBe(2);
    expect((await add('maps')).exitCode).toBe(2);
  });

  it('lists the topics that others may read', async () => {
    const { value } = await consumerCommand(CONSUMER_PORTS, ['topics']);
    expect(value).toMatchObject({ topics: expect.arrayContaining([
      expect.objectContaining({ topic: FIXES, record: 'LocationsRecord', key: 'device_id' }),
    ]) as unknown });
  });
});
