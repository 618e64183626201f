import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import bundles from '../../../../schemas/generated/bundles.json' with { type: 'json' };

/** The schema that our gateway judges by, compiled as the manual of Ajv says. */
export function locationsCheck(): (body: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  const validate = ajv.compile(bundles.LocationsBody);
  return (body) => validate(body);
}
