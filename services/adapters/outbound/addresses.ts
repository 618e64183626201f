import { lookup as resolveName } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Which addresses may be called beside public ones over TLS. */
export interface AddressRules {
  /** True when plain http is allowed to any address, not to this machine only. */
  readonly allowsInsecure: boolean;
  /** True when private, link-local and other addresses that are not public are allowed. */
  readonly allowsPrivate: boolean;
  /** True where nothing on this machine is a party, as in production. */
  readonly refusesLoopback?: boolean;
}

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Networks of the address registries that no public party lives in. */
const NOT_PUBLIC: readonly (readonly [network: string, prefix: number, kind: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'], ['10.0.0.0', 8, 'ipv4'], ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'], ['169.254.0.0', 16, 'ipv4'], ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'], ['192.168.0.0', 16, 'ipv4'], ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'], ['240.0.0.0', 4, 'ipv4'],
  // Those that carry an IPv4 address inside could lead to any of the above.
  ['::', 96, 'ipv6'], ['64:ff9b::', 96, 'ipv6'], ['64:ff9b:1::', 48, 'ipv6'],
  ['2001::', 32, 'ipv6'], ['2002::', 16, 'ipv6'], ['fc00::', 7, 'ipv6'], ['fe80::', 9, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

const blocked = NOT_PUBLIC.reduce((list, [network, prefix, kind]) => {
  list.addSubnet(network, prefix, kind);
  return list;
}, new BlockList());

/** An address that the rules do not allow; the call is not made. */
export class ForbiddenAddress extends Error {}

/**
 * True when a URL may be called as far as that shows without its addresses: https, or http to
 * this machine; and a literal address must be public. Names are checked when they are resolved.
 */
export function mayCall(url: URL, rules: AddressRules): boolean {
  const isLoopback = LOOPBACK_NAMES.has(url.hostname);
  if (isLoopback && rules.refusesLoopback === true) return false;
  if (url.protocol === 'http:') {
    if (!isLoopback && !rules.allowsInsecure) return false;
  } else if (url.protocol !== 'https:') return false;
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  return isLoopback || isIP(literal) === 0 || isAllowed(literal, rules);
}

/**
 * Resolves names, and refuses one that leads where the rules do not allow: the check and the
 * connection see the same address, so that a name cannot change in between.
 */
export function guardedLookup(rules: AddressRules): LookupFunction {
  return function lookup(hostname, options, callback) {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const isFine = (LOOPBACK_NAMES.has(hostname) && rules.refusesLoopback !== true)
        || addresses.every(({ address }) => isAllowed(address, rules));
      const [first] = addresses;
      if (!isFine || first === undefined) {
        return callback(new ForbiddenAddress('not a public address'), '', 0);
      }
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

function isAllowed(address: string, rules: AddressRules): boolean {
  if (rules.allowsPrivate) return true;
  // An IPv4 address in the clothes of IPv6 could be any of the above.
  if (/^::ffff:/i.test(address)) return false;
  return !blocked.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
