import { describe, expect, it } from 'vitest';
import { bringUp } from '../../containers/acts/bring-up.ts';

function failing(times: number): { compose: () => Promise<string>; asked: () => number } {
  let asked = 0;
  return {
    asked: () => asked,
    compose: () => {
      asked += 1;
      return asked <= times ? Promise.reject(new Error('kafka is unhealthy')) : Promise.resolve('');
    },
  };
}

describe('services that are brought up', () => {
  it('are asked once when they are healthy', async () => {
    expect(await bringUp(failing(0))).toEqual({ tries: 1, complaints: [] });
  });

  it('are asked again when one is slow, and no more than three times when it is broken', async () => {
    expect(await bringUp(failing(2))).toEqual({ tries: 3, complaints: [] });
    const broken = failing(9);
    expect(await bringUp(broken)).toEqual({ tries: 3, complaints: ['kafka is unhealthy'] });
    expect(broken.asked()).toBe(3);
  });
});
