/** Something that takes posts of locations: our gateway, a peer, or the floor. */
export interface BenchSubject {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** Processes whose CPU counts. */
  pids(): readonly number[];
  /** Records that it has put into the log so far; undefined where it has none. */
  logged?: (() => Promise<bigint>) | undefined;
  close(): Promise<void>;
}
