import type { EntityDevices } from '../../../../schemas/generated/types.ts';
import type { Operation } from '../../../kernel/http.ts';
import type { PersonalSeals } from '../../../kernel/personal.ts';
import { defineOperation } from '../../common/catalog.ts';
import { deviceResources } from '../../common/device-resource.ts';
import { readEntityQuery, writeEntityCursor } from '../../common/entity-query.ts';
import { badCursor } from '../../common/page.ts';
import { problemErrors } from '../../common/problem.ts';
import { readEntities, type EntityPorts } from '../../common/read-entities.ts';

/** What it needs from outside. */
export interface ListEntityDevicesPorts extends EntityPorts {
  readonly personal: Pick<PersonalSeals, 'forReading'>;
}

/** `GET …/devices`: the caller's devices of an entity by its name, the newest one first. */
export function listEntityDevices(ports: ListEntityDevicesPorts): Operation {
  return defineOperation('list-entity-devices', {
    errors: problemErrors,
    async handle({ caller, query }) {
      const asked = readEntityQuery(query);
      if (asked.kind === 'refused') return asked.answer;
      const question = { ...asked.question, clients: [caller.clientId] };
      const page = await readEntities(ports, question, asked.after);
      if (page === undefined) return badCursor();
      const body: EntityDevices = {
        devices: [...await deviceResources(ports.personal, page.devices)],
        ...(page.next === undefined ? {} : { next_cursor: writeEntityCursor(page.next) }),
        has_more: page.next !== undefined,
      };
      return { kind: 'answer', status: 200, body };
    },
  });
}
