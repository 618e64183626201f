import {
  AclOperations, AclPermissionTypes, ResourcePatternTypes, ResourceTypes, type Admin,
} from '@platformatic/kafka';
import { hasReason } from './errors.ts';

/** What one user may do with one topic, or with the groups whose names begin so. */
export interface Grant {
  readonly user: string;
  readonly topic?: string;
  readonly groupsFrom?: string;
  readonly may: readonly ('read' | 'write' | 'describe' | 'delete')[];
}

type Rule = Parameters<Admin['createAcls']>[0]['creations'][number];

const OPERATIONS = {
  read: AclOperations.READ,
  write: AclOperations.WRITE,
  describe: AclOperations.DESCRIBE,
  delete: AclOperations.DELETE,
} as const;

/**
 * Grants exactly this to the users that it names: what is missing is added, what they have beyond
 * it is taken away. False where the brokers have no authorizer, so that everyone may do everything.
 */
export async function setGrants(
  admin: Pick<Admin, 'createAcls' | 'describeAcls' | 'deleteAcls'>, grants: readonly Grant[],
): Promise<boolean> {
  const users = [...new Set(grants.map(({ user }) => user))];
  let present: readonly Rule[];
  try {
    present = (await Promise.all(users.map((user) => rulesOf(admin, user)))).flat();
  } catch (error) {
    if (hasReason(error, 'SECURITY_DISABLED')) return false;
    throw error;
  }
  const wanted = grants.flatMap(rulesFor);
  const missing = without(wanted, present);
  if (missing.length > 0) await admin.createAcls({ creations: [...missing] });
  const extra = without(present, wanted);
  if (extra.length > 0) await admin.deleteAcls({ filters: [...extra] });
  return true;
}

async function rulesOf(
  admin: Pick<Admin, 'describeAcls'>, user: string,
): Promise<readonly Rule[]> {
  const resources = await admin.describeAcls({
    filter: {
      resourceType: ResourceTypes.ANY, resourceName: null,
      resourcePatternType: ResourcePatternTypes.ANY, principal: `User:${user}`, host: null,
      operation: AclOperations.ANY, permissionType: AclPermissionTypes.ANY,
    },
  });
  return resources.flatMap(({ acls, ...target }) => acls.map((acl) => ({ ...target, ...acl })));
}

function rulesFor({ user, topic, groupsFrom, may }: Grant): readonly Rule[] {
  const target = topic === undefined
    ? { resourceType: ResourceTypes.GROUP, resourceName: groupsFrom ?? '',
        resourcePatternType: ResourcePatternTypes.PREFIXED }
    : { resourceType: ResourceTypes.TOPIC, resourceName: topic,
        resourcePatternType: ResourcePatternTypes.LITERAL };
  return may.map((operation) => ({
    ...target, principal: `User:${user}`, host: '*',
    operation: OPERATIONS[operation], permissionType: AclPermissionTypes.ALLOW,
  }));
}

function without(rules: readonly Rule[], others: readonly Rule[]): readonly Rule[] {
  const known = new Set(others.map(nameOf));
  return rules.filter((rule) => !known.has(nameOf(rule)));
}

function nameOf(rule: Rule): string {
  const { resourceType, resourceName, resourcePatternType, principal, host } = rule;
  const { operation, permissionType } = rule;
  return [
    resourceType, resourceName, resourcePatternType, principal, host, operation, permissionType,
  ].join('|');
}
