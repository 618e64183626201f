import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { ProviderCommandIssued } from '../../../services/kernel/commands.ts';
import type { FoldCheckpoint, FoldCheckpoints } from '../../../services/kernel/fold-checkpoints.ts';
import type { FoldSource } from '../../../services/kernel/fold.ts';
import {
  createCommandApplier,
} from '../../../services/workers/projector/commands/apply-command-records.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { createProjection } from '../../../services/workers/projector/projections.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import { COMMAND_SENDER_LIMITS } from '../../../services/workers/parties/commands/config.ts';
import { createPartyTokens } from '../../../services/workers/parties/common/party-tokens.ts';
import { createCommandSender } from '../../../services/workers/parties/commands/pipeline.ts';
import { aCommand, aParty, aTelemetryRequest, aTransport } from '../../support/command-facts.ts';
import type { Model } from '../core/model.ts';
import type { SimProcess } from '../core/scheduler.ts';
import type { Simulation } from '../core/simulation.ts';
import { checkCommands, type Reading } from '../invariants/commands.ts';
import { createSimProvider, type SimProvider } from '../ports/provider.ts';
import { readRecord } from '../../support/read-record.ts';
import { accessSource, factOf, NO_POSITIONS, toBytes } from './accounts.ts';
import { workerPorts } from './ports.ts';
import { memoryItemDefects } from '../../support/memory-defects.ts';

const COMMANDS = TOPICS.providerCommands.name;
const RESULTS = TOPICS.providerCommandResults.name;
const CONFIG = {
  ...POISON_FLOOD_LIMITS, ...COMMAND_SENDER_LIMITS, backoffMsMax: 20_000, throttledMs: 20_000,
  topics: { commands: COMMANDS, results: RESULTS }, keptRecordsMin: 1,
};

/** Commands to a provider, sent by command senders that come, stall and go. */
export const commandsModel: Model = {
  name: 'commands',
  mustAnswer: ['take 200', 'take 400', 'take 403', 'take 429', 'take 503'],
  build(simulation) {
    const provider = createSimProvider(simulation.wire, simulation.history);
    const readings: Reading[] = [];
    seedParty(simulation);
    const foldsOf = createSimFolds(simulation);
    simulation.keepWorkers('sender', 2, [COMMANDS], (process) =>
      openSender(simulation, process, provider, readings, foldsOf(process)));
    simulation.keepWorkers('keeper', 1, [COMMANDS, RESULTS], (process) =>
      createProjection('commands', POISON_FLOOD_LIMITS, {
        ...workerPorts(simulation, process),
        commands: simulation.states(process).commands,
      }), (process) => ({
      state: [accessSource(simulation, process), {
        topics: [COMMANDS, RESULTS],
        applyRecords: createCommandApplier(simulation.states(process).commands, readRecord),
      }],
      lastFixes: NO_POSITIONS,
    }));
    simulation.client('platform', (client) => issueAll(simulation, client));
    return {
      isQuiet: () => {
        const ended = new Set(simulation.log.records(RESULTS).map(factOf)
          .filter(({ outcome }) => outcome !== 'retry').map(({ command_id }) => command_id));
        return simulation.log.records(COMMANDS).every((each) => ended.has(factOf(each)['command_id']));
      },
      check: () => checkCommands(simulation, provider, readings),
    };
  },
};

function seedParty({ log, stores }: Simulation): void {
  const party = aParty({ party_id: 'party-acme' });
  log.write({
    topic: TOPICS.parties.name, key: party.party_id, value: toBytes(party), headers: {},
  });
  void stores.states.parties.apply(party);
}

function openSender(
  simulation: Simulation, process: SimProcess, provider: SimProvider, readings: Reading[],
  folds: FoldCheckpoints,
) {
  const { wire } = simulation;
  const { parties, commands } = simulation.states(process);
  const clock = wire.clockOf(process);
  const outbound = provider.outboundOf(process);
  const vault = { seal: (text: string) => text, open: (sealed: string) => sealed };
  const recorded = recordReadings(simulation, process, readings);
  const sender = createCommandSender(CONFIG, {
    ...workerPorts(simulation, process),
    log: simulation.append(process), outbound,
    ...recorded, folds,
    parties,
    commands,
    tokens: createPartyTokens({ outbound, vault, clock, signals: silentSignals }),
    pause: wire.pauseOf(process),
    random: () => simulation.scheduler.dice.next(),
    owner: process.name,
    ring: (ms, callback) => {
      const { cancel } = simulation.scheduler.post(process, 'timer', `ring after ${ms} ms`, ms, callback);
      return cancel;
    },
    itemDefects: memoryItemDefects(),
    onCrash: (error) => simulation.onDefect(process, error),
  });
  return {
    ...sender,
    // Kept often, so that a takeover goes on from any place.
    async onRecords(records: Parameters<typeof sender.onRecords>[0]) {
      const done = await sender.onRecords(records);
      void sender.keepUp().catch(() => undefined);
      return done;
    },
  };
}

/** Checkpoints of folds, which go with the store that is wiped. */
function createSimFolds(simulation: Simulation): (process: SimProcess) => FoldCheckpoints {
  const { wipes } = simulation;
  const kept = { texts: new Map<string, string>(), life: 0 };
  const texts = (): Map<string, string> => {
    if (kept.life !== wipes.length) kept.texts.clear();
    kept.life = wipes.length;
    return kept.texts;
  };
  return (process) => simulation.port<FoldCheckpoints>(process, 'folds', {
    async find(name) {
      const text = texts().get(name);
      return text === undefined ? undefined : JSON.parse(text) as FoldCheckpoint;
    },
    async keep(name, checkpoint) { texts().set(name, JSON.stringify(checkpoint)); },
  });
}

/** The log and the rights of a sender, with a record of when it gets one and reads then. */
function recordReadings(
  simulation: Simulation, process: SimProcess, readings: Reading[],
): FoldSource & Pick<Parameters<typeof createCommandSender>[1], 'leases'> {
  const { leases } = simulation.states(process);
  const { watch, ...parts } = simulation.log.partsOf(process);
  const unread = new Set<number>();
  const recordReading = (partition: number): void => {
    readings.push({ by: process.name, partition, step: simulation.scheduler.step() });
  };
  return {
    ...parts,
    leases: {
      ...leases,
      async claim(name, owner, leaseMs, fenceLeast) {
        const fence = await leases.claim(name, owner, leaseMs, fenceLeast);
        const partition = Number(name.replace('commands:', ''));
        if (fence === undefined) return fence;
        recordReading(partition);
        unread.add(partition);
        return fence;
      },
    },
    watch: {
      ranges(topics) {
        for (const partition of unread) recordReading(partition);
        unread.clear();
        return watch.ranges(topics);
      },
    },
  };
}

/** Starts and stops of few transports, some at once and some long after. */
async function issueAll(simulation: Simulation, client: SimProcess): Promise<void> {
  const { dice } = simulation.scheduler;
  const pause = simulation.wire.pauseOf(client);
  const transports = [71, 72, 73].slice(0, dice.between(1, 3));
  for (let at = 1, last = dice.between(3, 8); at <= last; at += 1) {
    const event = commandOf(`c${at}`, dice.pick(transports), dice.next());
    simulation.scheduler.addToTrace(`issues ${event.command_id}: ${event.body.command} of ${event.command_key}`);
    const { command_key: key } = event;
    simulation.log.write({ topic: COMMANDS, key, value: toBytes(event), headers: {} });
    await pause(dice.chance(0.4) ? 0 : dice.between(0, dice.chance(0.3) ? 30_000 : 500));
  }
}

/** The plate says which command it is, because a provider gets no id. */
function commandOf(command_id: string, id: number, roll: number): ProviderCommandIssued {
  const change = { command_id, at_ms: 0 };
  const event = roll < 0.2
    ? aTelemetryRequest(Buffer.from(command_id).toString('base64'), id, change)
    : aCommand(roll < 0.65 ? 'start_tracking' : 'stop_tracking', id, change);
  const transport = { ...aTransport(id), license_plate: command_id };
  return { ...event, body: { ...event.body, transport } as ProviderCommandIssued['body'] };
}
