import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../services/provider/config.ts';

const env = {
  RASTRO_URL: 'http://127.0.0.1:1', RASTRO_CLIENT_ID: '1', RASTRO_CLIENT_SECRET: 's',
  RASTRO_PROVIDER: 'acme', RASTRO_PROVIDER_COMMAND_TOKEN: 't', RASTRO_REPLAY_DEVICES: '5',
};

describe('the configuration of the provider', () => {
  it('comes from the environment, over which flags win', () => {
    const config = readConfig(env, ['--devices', '7', '--for', '60s', '--speed', '2.5']);
    expect(config).toMatchObject({ devices: 7, runSeconds: 60, speed: 2.5, port: 0 });
    expect(readConfig(env, []).devices).toBe(5);
  });

  it('names every fault at once', () => {
    expect(() => readConfig({ RASTRO_URL: 'ftp://x', RASTRO_REPLAY_SPEED: 'fast' }, []))
      .toThrow(/RASTRO_CLIENT_ID.*RASTRO_REPLAY_SPEED is fast/);
  });

  it.each([['--devices', '-1'], ['--devices', ''], ['--speed', '0'], ['--for', 'x']])(
    'refuses %s %s', (flag, value) => {
      expect(() => readConfig(env, [`${flag}=${value}`])).toThrow(/Bad configuration/);
    });
});
