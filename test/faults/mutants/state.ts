import type { Patch } from '../cluster/copy-product.ts';
import type { Mutant } from './mutant.ts';

/** Each repetition of a command is a command of its own. */
export const COMMAND_KEY_NOT_CHECKED: readonly Patch[] = [
  {
    file: 'services/gateways/platform/operations/send-command.ts',
    find: `ports.ids.ingestId() : commandIdOf(ports.digest, identity),`,
    replace: `ports.ids.ingestId() : ports.ids.ingestId() || commandIdOf(ports.digest, identity),`,
  },
  {
    file: 'services/domain/monitoring/identity.ts',
    find: `  if (kept !== undefined && kept.claim === undefined) {`,
    replace: `  if (kept !== undefined && kept.claim !== undefined && kept.command_id === '') {`,
  },
];

/** Mistakes about the state store: what it may be asked, and when it may be believed. */
export const STATE_MUTANTS: readonly Mutant[] = [
  {
    name: 'revocation-cached',
    why: 'A token that was good five seconds ago is good enough to spare a look.',
    breaks: ['I7'],
    scenario: 'calm',
    patches: [
      {
        file: 'services/adapters/http/stages/caller.ts',
        find: `/** Stage \`token\`. */`,
        replace: `const remembered = new Map<string, { facts: RequestContext['facts']; untilMs: number }>();

/** Stage \`token\`. */`,
      },
      {
        file: 'services/adapters/http/stages/caller.ts',
        find: `    bytes: bytesBeyond(bytes?.length ?? 0), charges: true,
  });`,
        replace: `    bytes: bytesBeyond(bytes?.length ?? 0), charges: true,
  });
  const kept = remembered.get(bearer.tokenHash);
  const nowMs = tools.ports.clock.nowMs();
  if (context.facts.caller !== undefined) {
    remembered.set(bearer.tokenHash, { facts: context.facts, untilMs: nowMs + 5_000 });
  } else if (kept !== undefined && kept.untilMs > nowMs) {
    context.facts = kept.facts;
  }`,
      },
    ],
  },
  {
    name: 'stop-kafka-only',
    why: 'The projector brings every stop from the log into Redis, so the gateway need not.',
    breaks: ['I5'],
    scenario: 'calm',
    patches: [
      {
        file: 'services/domain/device/claim.ts',
        find: '    ? { stage: 3 as const, stop_from: device.stage } : {};',
        replace: '    ? {} : {};',
      },
      {
        file: 'services/gateways/devices/decide-on-device.ts',
        find: '      const isOurs = await ports.states.confirm(',
        replace: `      const isOurs = event.type === 'DeviceTrackingStopped'
        || await ports.states.confirm(`,
      },
    ],
  },
  {
    name: 'revocation-kafka-only',
    why: 'The projector brings every revocation from the log into Redis, so the gateway need not.',
    breaks: ['I7'],
    scenario: 'calm',
    patches: [
      {
        file: 'services/gateways/common/tokens.ts',
        find: '  await states.denyToken(event);\n  await append(log, event, call);\n  await states.denyToken(event);',
        replace: '  await append(log, event, call);',
      },
    ],
  },
  {
    name: 'command-key-not-checked',
    why: 'A platform that repeats a command wants it to be sent again.',
    breaks: ['I10'],
    scenario: 'gateway-commands',
    patches: COMMAND_KEY_NOT_CHECKED,
  },
  {
    name: 'claim-without-compare',
    why: 'Two registrations of one thing at the same moment do not happen in practice.',
    breaks: ['I4'],
    scenario: 'calm',
    patches: [{
      file: 'services/domain/device/claim.ts',
      find: `  if (isAnothers(entity.claim, by)) return { answer: 'busy' };\n`,
      replace: '',
    }],
  },
  {
    name: 'no-position-guard',
    why: 'The log is in order, so the last position that comes is the newest.',
    breaks: ['I9'],
    scenario: 'calm',
    patches: [{
      file: 'services/adapters/redis/scripts/newer.lua',
      find: '  if not kept[1] then return true end',
      replace: '  if kept then return true end',
    }],
  },
  {
    name: 'not-ready-is-refused',
    why: 'A token that the store does not know is no good token.',
    breaks: ['I14'],
    scenario: 'state-wiped',
    patches: [{
      file: 'services/adapters/redis/admission.ts',
      find: `      one.reject(new Unavailable('state_not_ready', 'admit', 'the state is being rebuilt'));`,
      replace: `      one.resolve(readAnswer(''));`,
    }],
  },
  {
    name: 'wall-clock-in-reducer',
    why: 'The time of applying is about the time of the fact.',
    breaks: ['I3'],
    scenario: 'calm',
    patches: [{
      file: 'services/workers/projector/devices/apply-device-records.ts',
      find: '      facts.push({ event: reading.value, recordId: recordIdOf(record) });',
      replace: `      const event = { ...reading.value, at_ms: Date.now() };
      facts.push({ event, recordId: recordIdOf(record) });`,
    }],
  },
  {
    name: 'final-forgotten-by-rebuild',
    why: 'A rebuild needs the status of a shipment; finality is worked out by the next event.',
    breaks: ['I8', 'I3'],
    scenario: 'state-wiped',
    patches: [{
      file: 'services/workers/journey/replay-journeys.ts',
      find: '      journeys.set(tracking_number, evolveJourney(journeys.get(tracking_number), event));',
      replace: `      const changed = event.state === undefined
        ? event
        : { ...event, state: { ...event.state, final: false } };
      journeys.set(tracking_number, evolveJourney(journeys.get(tracking_number), changed));`,
    }],
  },
];
