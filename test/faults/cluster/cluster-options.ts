import type { RedisMode } from '../../../infra/redis/rights.ts';
import type { ProcessName } from './cluster-processes.ts';
import type { Patch } from './copy-product.ts';

/** How a cluster differs from the usual one. */
export interface ClusterOptions {
  readonly brokers?: 1 | 3;
  /**
   * How the state store is deployed; one server unless said. With several servers each process
   * logs in there as itself, past every proxy.
   */
  readonly state?: RedisMode;
  /** Its processes; the usual ones when not said. */
  readonly processes?: readonly ProcessName[];
  /** A commit whose code makes topics and tables, and which all processes run at first. */
  readonly commit?: string;
  /** Every process logs in at the log and the state store as itself, past every proxy. */
  readonly hasLogins?: boolean;
  /**
   * Every process reaches its parts past every proxy, for runs that cut nothing: proxies work in
   * the process of the test, and would delay the callers whose waits it measures.
   */
  readonly isDirect?: boolean;
  /** A changed copy of the product that some processes run instead of this tree. */
  readonly changed?: {
    readonly names: readonly ProcessName[];
    readonly patches: readonly Patch[];
    /** True when the tables are made by the copy too. */
    readonly isForTables?: boolean;
  };
  /** Settings of the gateways, beside the usual ones of a cluster. */
  readonly gatewaySettings?: Readonly<Record<string, string>>;
  /** Providers beside the usual two, whom the platform does not call. */
  readonly moreProviders?: readonly string[];
  /** Webhooks of its residents, with receivers that fail now and then. */
  readonly hasWebhooks?: boolean;
  /** Viewers of its two live gateways, which must be among its processes. */
  readonly hasViewers?: boolean;
  /** The log and the tables lie on small disks of their own, which can be filled. */
  readonly hasSmallDisks?: boolean;
}
