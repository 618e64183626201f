import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { bundleOf, bundleTitles } from '../../../schemas/bundles.ts';
import { readSchemaFiles, type JsonObject, type SchemaFiles } from '../../../schemas/files.ts';
import { openMembers, personalRecords } from '../../../schemas/personal.ts';
import { PERSONAL_RECORDS } from '../../../services/domain/personal/registry.ts';

const SOURCE = readSchemaFiles(fileURLToPath(new URL('../../../schemas', import.meta.url)));

/** The contract with one file changed. */
function changed(name: string, change: (schema: JsonObject) => void): SchemaFiles {
  const files = SOURCE.files.map((file) => {
    if (!file.path.endsWith(`/${name}`)) return file;
    const schema = structuredClone(file.schema);
    change(schema);
    return { ...file, schema };
  });
  const byPath = new Map(files.map((file) => [file.path, file]));
  return {
    files,
    fileAt: (reference, path) => byPath.get(SOURCE.fileAt(reference, path).path)!,
  };
}

const membersOf = (schema: JsonObject) => schema['properties'] as Record<string, JsonObject>;

describe('Annotations of personal members', () => {
  it('make the registry', () => {
    expect(Object.fromEntries(personalRecords(SOURCE).map(({ record, ...rest }) => [record, rest])))
      .toEqual(PERSONAL_RECORDS);
  });

  it.each(['phone', 'first_name'])('are missed: %s of a sender and receiver', (name) => {
    const source = changed('shipment-user.json', (schema) => {
      delete membersOf(schema)[name]!['x-personal'];
    });
    expect(() => personalRecords(source)).toThrow(`shipment_information.sender.${name}`);
  });

  it.each([
    ['notification-payload.json', 'notification.payload.nickname'],
    ['recorded-device-specs.json', 'device_specs.nickname'],
    ['package-item.json', 'request.shipment_information.package.items[].nickname'],
  ])('are missed of a member that is new in %s', (file, path) => {
    const source = changed(file, (schema) => {
      membersOf(schema)['nickname'] = { type: 'string' };
    });
    expect(() => personalRecords(source)).toThrow(path);
  });

  it('give a reason for each member that stays open', () => {
    expect(openMembers(SOURCE).filter(({ reason }) => reason === '')).toEqual([]);
    expect(openMembers(SOURCE)).not.toEqual([]);
  });

  it('are in no bundle, so that a better purpose makes no new version', () => {
    const telling = bundleTitles().filter((title) => (
      JSON.stringify(bundleOf(title)).includes('x-personal')
    ));
    expect(telling).toEqual([]);
  });
});
