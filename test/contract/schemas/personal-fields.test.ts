import { describe, expect, it } from 'vitest';
import { bundleOf } from '../../../schemas/bundles.ts';
import { PERSONAL_RECORDS } from '../../../services/domain/personal/registry.ts';

interface Node {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly allOf?: readonly Node[];
}

/** The path of the first member that a schema requires although it is cut out of the record. */
function requiredOn(schema: Node, path: readonly string[]): string | undefined {
  const [name = '', ...rest] = path;
  const field = name.replace('[]', '');
  if (rest.length === 0 && schema.required?.includes(field) === true) return field;
  const below = schema.properties?.[field];
  const next = name.endsWith('[]') ? below?.items : below;
  const found = next === undefined || rest.length === 0 ? undefined : requiredOn(next, rest);
  if (found !== undefined) return `${name}.${found}`;
  return schema.allOf?.map((each) => requiredOn(each, path)).find((each) => each !== undefined);
}

// A worker reads records by their schemas: a required member that is sealed, and so cut out, would
// make every such record a dead letter.
describe('the schema of a record', () => {
  it.each(Object.entries(PERSONAL_RECORDS))(
    'requires nothing that is sealed: %s', (title, { personal }) => {
      const schema = bundleOf(title) as Node;
      const required = personal.map(({ path }) => requiredOn(schema, path.split('.')));
      expect(required.filter((path) => path !== undefined)).toEqual([]);
    },
  );

  it('that requires a sealed member is noticed', () => {
    const schema = { properties: { a: { items: { required: ['name'] } } } };
    expect(requiredOn(schema, ['a[]', 'name'])).toBe('a[].name');
  });
});
