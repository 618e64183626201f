import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import parsers from '@stoplight/spectral-parsers';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import type { GateReport } from '../../scripts/check/gate.ts';
import {
  COMPOSE_FILES, composeServices, type ComposeService, type ComposeServices,
} from './compose-files.ts';
import { unwritable } from './compose-folders.ts';
import type { InfraTools } from './tools.ts';

const LOOPBACK = /^127\.0\.0\.1:/;

/** The schema of Compose, and what we ask of each service beyond it. */
export function checkCompose(
  root: string, { composeSchema }: Pick<InfraTools, 'composeSchema'>,
): Promise<GateReport> {
  const ajv = new Ajv({ allErrors: true, strict: false });
  formats.default(ajv);
  // It names its draft by an address that Ajv knows with another scheme; draft 7 is the default.
  const { $schema: _draft, ...schema } = JSON.parse(readFileSync(composeSchema, 'utf8')) as {
    readonly $schema?: string;
  };
  const validate = ajv.compile(schema);
  const complaints = COMPOSE_FILES.flatMap((file) => {
    const { data, diagnostics } = parsers.Yaml.parse(readFileSync(join(root, file), 'utf8'));
    const isValid = validate(data);
    return [
      ...diagnostics.map(({ message }) => `${file} ${message}`),
      ...(isValid ? [] : (validate.errors ?? []).map((error) =>
        `${file}${error.instancePath} ${error.message ?? ''} ${JSON.stringify(error.params)}`)),
    ];
  });
  const services = composeServices(root);
  const names = Object.keys(services);
  return Promise.resolve({
    seen: names.length,
    complaints: [
      ...complaints, ...unwritable(services),
      ...names.flatMap((name) => wrongsOfService(name, services[name] ?? {}, services)),
    ],
  });
}

/** What we ask of one service. */
export function wrongsOfService(
  name: string, service: ComposeService, all: ComposeServices,
): readonly string[] {
  const isJob = service.restart === 'no';
  const strangers = Object.keys(service.depends_on ?? {}).filter((other) => !(other in all));
  return [
    ...(service.profiles?.length ? [] : ['has no profile']),
    ...(service.image?.includes(':') ? [] : ['has an image without a tag']),
    ...('start_interval' in (service.healthcheck ?? {})
      ? ['has a start_interval, which Docker Engine before 25 refuses'] : []),
    ...(isJob || service.healthcheck ? [] : ['has no health check, so --wait cannot wait for it']),
    ...(service.read_only === true ? [] : ['may write its root']),
    ...(service.ports ?? []).filter((port) => !LOOPBACK.test(port))
      .map((port) => `opens ${port} to other machines`),
    ...strangers.map((other) => `waits for ${other}, which is not there`),
  ].map((wrong) => `${name} ${wrong}`);
}
