declare module 'proxy-addr' {
  import type { IncomingMessage } from 'node:http';

  /** Says whether an address, so many hops away, is believed about the one before it. */
  type Trust = (address: string, hop: number) => boolean;

  /** The address of the first from the right that is not trusted. */
  function proxyAddr(request: IncomingMessage, trust: Trust): string | undefined;

  namespace proxyAddr {
    /** Throws for what is no address or network. */
    function compile(trusted: readonly string[]): Trust;
  }

  export default proxyAddr;
}
