import { expect, it } from 'vitest';
import { inlined } from '../../../schemas/inline.ts';
import type { SchemaFile } from '../../../schemas/files.ts';
import type { Source } from '../../../scripts/generate/source.ts';

const file: SchemaFile = {
  path: 'item.json', room: 'shapes', title: 'Item',
  schema: {
    type: 'object',
    description: 'A word about the item.',
    properties: {
      description: { type: 'string', description: 'A word about the field.' },
      examples: { type: 'array', examples: [[]] },
    },
  },
};
const source = { files: [file], fileAt: () => file } as unknown as Source;

it('keeps the rule of a field that is called like a keyword that is left out', () => {
  expect(inlined(source, file, ['description', 'examples'])).toEqual({
    type: 'object',
    properties: { description: { type: 'string' }, examples: { type: 'array' } },
  });
});
