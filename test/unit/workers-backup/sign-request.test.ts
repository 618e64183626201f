import { expect, it } from 'vitest';
import { encoded, signedHeaders } from '../../../services/adapters/backup-storage/sign-request.ts';

// The example of a list of objects in the documentation of Signature Version 4 by its makers.
it('signs a request as the makers of the signature do', () => {
  const headers = signedHeaders(
    'GET', new URL('https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J'), {
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', region: 'us-east-1',
    }, Date.parse('2013-05-24T00:00:00Z'),
  );
  expect(headers['authorization']).toContain(
    'Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  );
});

it('encodes all that is neither of the alphabet, nor a digit, nor one of four signs', () => {
  expect(encoded("a/b c!'()*~._-+é")).toBe('a%2Fb%20c%21%27%28%29%2A~._-%2B%C3%A9');
});
