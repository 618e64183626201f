import { hasReason } from './errors.ts';

/** What one user may do with one topic, or with the groups whose names begin so. */
export interface Grant {
  readonly user: string;
  readonly topic?: string;
  readonly groupsFrom?: string;
  readonly may: readonly ('read' | 'write' | 'describe' | 'delete')[];
}

/** One rule of the brokers, in the protocol's numbers, which both client libraries take as such. */
export interface AccessRule {
  readonly resourceType: number;
  readonly resourceName: string;
  readonly resourcePatternType: number;
  readonly principal: string;
  readonly host: string;
  readonly operation: number;
  readonly permissionType: number;
}

/** What a client library does with rules. */
export interface RuleCalls {
  /** Every rule about a principal. */
  describeRules(principal: string): Promise<readonly AccessRule[]>;
  createRules(rules: readonly AccessRule[]): Promise<void>;
  deleteRules(rules: readonly AccessRule[]): Promise<void>;
}

/** The protocol's number for "whatever it is", in every field of a filter. */
export const ANY = 1;

const TOPIC = 2;
const GROUP = 3;
const LITERAL = 3;
const PREFIXED = 4;
const ALLOW = 3;
const OPERATIONS = { read: 3, write: 4, describe: 8, delete: 6 } as const;

/**
 * Grants exactly this to the users that it names: what is missing is added, what they have beyond
 * it is taken away. False where the brokers have no authorizer, so that everyone may do everything.
 */
export async function setGrants(calls: RuleCalls, grants: readonly Grant[]): Promise<boolean> {
  const principals = [...new Set(grants.map(({ user }) => `User:${user}`))];
  let present: readonly AccessRule[];
  try {
    present = (await Promise.all(principals.map((name) => calls.describeRules(name)))).flat();
  } catch (error) {
    if (hasReason(error, 'SECURITY_DISABLED')) return false;
    throw error;
  }
  const wanted = grants.flatMap(rulesFor);
  const missing = without(wanted, present);
  if (missing.length > 0) await calls.createRules(missing);
  const extra = without(present, wanted);
  if (extra.length > 0) await calls.deleteRules(extra);
  return true;
}

function rulesFor({ user, topic, groupsFrom, may }: Grant): readonly AccessRule[] {
  const target = topic === undefined
    ? { resourceType: GROUP, resourceName: groupsFrom ?? '', resourcePatternType: PREFIXED }
    : { resourceType: TOPIC, resourceName: topic, resourcePatternType: LITERAL };
  return may.map((operation) => ({
    ...target, principal: `User:${user}`, host: '*',
    operation: OPERATIONS[operation], permissionType: ALLOW,
  }));
}

function without(
  rules: readonly AccessRule[], others: readonly AccessRule[],
): readonly AccessRule[] {
  const known = new Set(others.map(nameOf));
  return rules.filter((rule) => !known.has(nameOf(rule)));
}

function nameOf(rule: AccessRule): string {
  const { resourceType, resourceName, resourcePatternType, principal, host } = rule;
  const { operation, permissionType } = rule;
  return [
    resourceType, resourceName, resourcePatternType, principal, host, operation, permissionType,
  ].join('|');
}
