import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { bundleOf } from '../../../../schemas/bundles.ts';

/** The schema that our gateway checks with, compiled as the manual of Ajv says. */
export function locationsCheck(): (body: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  const validate = ajv.compile(bundleOf('LocationsBody'));
  return (body) => validate(body);
}
