import interfaceCodes from '../../schemas/data/notification-codes.json' with { type: 'json' };
import { bundleOf } from '../../schemas/bundles.ts';
import { OPERATIONS } from '../../schemas/generated/catalog.ts';
import { countryBoxes } from '../adapters/config/country-boxes.ts';
import { nameTreeOf } from '../adapters/schema/name-tree.ts';
import { findWarnings } from '../domain/warnings/find-warnings.ts';
import type { Countries } from '../kernel/countries.ts';
import type { Operation } from '../kernel/http.ts';
import type { ProofImages } from '../kernel/images.ts';
import type { RecordLog } from '../kernel/record-log.ts';
import type { StateStore } from '../kernel/state-store.ts';
import type { TakenCalls } from '../kernel/taken-calls.ts';
import type { FindWarnings, NameTree } from '../kernel/warnings.ts';
import { createDryStore } from '../state/dry-store.ts';
import { dryImages, dryLog } from './common/dry-ports.ts';
import { dryRunOf } from './common/dry-run.ts';

/** The ports that a dry run has others in the place of. */
export interface DryRunPorts {
  readonly states: { readonly store: StateStore };
  readonly log: RecordLog;
  readonly images: ProofImages;
  readonly takenCalls?: TakenCalls | undefined;
}

/** Makes the stores of things and the seals again, over a store and a log. */
export interface OverOthers<Ports extends DryRunPorts> {
  over(store: StateStore, log: RecordLog): Partial<Ports>;
}

/**
 * The operations of a room, each that writes with its dry run. For every dry run they are made
 * again, over a store and a log that keep nothing.
 */
export function withDryRuns<Ports extends DryRunPorts & OverOthers<Ports>>(
  operationsOver: (ports: Ports) => readonly Operation[], ports: Ports, findWarnings: FindWarnings,
): readonly Operation[] {
  const makeDry = (id: string): Operation => {
    const found = operationsOver(dryPorts(ports)).find((each) => each.id === id);
    if (found === undefined) throw new Error(`No operation ${id} to try.`);
    return found;
  };
  return operationsOver(ports).flatMap((operation) => (
    OPERATIONS[operation.id as keyof typeof OPERATIONS].appends === null
      ? [operation]
      : [{ ...operation, hasDryRun: true }, dryRunOf(operation, makeDry, findWarnings)]
  ));
}

function dryPorts<Ports extends DryRunPorts & OverOthers<Ports>>(ports: Ports): Ports {
  return {
    ...ports,
    ...ports.over(createDryStore(ports.states.store), dryLog),
    log: dryLog,
    images: dryImages(ports.images),
    takenCalls: undefined,
  };
}

/** Finds warnings by the schemas of bodies, boxes of countries and codes of the interface. */
export function createFindWarnings(countries: Countries): FindWarnings {
  const trees = new Map<string, NameTree>();
  const boxesOf = countryBoxes(countries);
  const isKnownCode = (code: string): boolean => Object.hasOwn(interfaceCodes.codes, code);
  return function find(taken) {
    return findWarnings(taken, { names: namesOf(taken.operation, trees), boxesOf, isKnownCode });
  };
}

function namesOf(operation: string, trees: Map<string, NameTree>): NameTree | undefined {
  const { request } = OPERATIONS[operation as keyof typeof OPERATIONS];
  if (request === null) return undefined;
  const known = trees.get(request.schema) ?? nameTreeOf(bundleOf(request.schema));
  trees.set(request.schema, known);
  return known;
}
