import { describe, expect, it } from 'vitest';
import { freePorts } from '../../../infra/local/ports.ts';

describe('freePorts', () => {
  it('gives no port twice to those who ask side by side and do not listen yet', async () => {
    const ports = (await Promise.all(Array.from({ length: 40 }, () => freePorts(10)))).flat();
    expect(new Set(ports).size).toBe(400);
  });
});
