/** The address of a call: a gateway behind a proxy may have a path of its own before ours. */
export function addressOf(url: string, path: string): URL {
  return new URL(`${url.replace(/\/+$/, '')}${path}`);
}
