import type { Clock } from '../../../kernel/clock.ts';
import type { MapFleet, MapDevice } from './map-fleet.ts';
import {
  binaryUpdate, isHidden, jsonUpdate, ROW_BYTES, type FixFormat,
} from './updates.ts';

/** What all viewers of a channel see, in the same form. */
export interface ChannelView {
  readonly fleet: () => MapFleet;
  readonly provider: string | undefined;
  readonly format: FixFormat;
  readonly showsClients: boolean;
  readonly showsStates: boolean;
  readonly pieceBytesMax: number;
  readonly clock: Clock;
  /** Of every piece of a whole map but the last: who goes on from it begins again. */
  readonly beginId: string;
}

/** A part of what a viewer lacks, up to a change; without bytes where nothing of it is shown. */
export interface Piece {
  readonly bytes: Buffer | undefined;
  readonly upTo: number;
}

/** What a viewer has. */
export interface ChannelReader {
  readonly sent: number;
  /** Of what came after this change it may not know whose it is, or anything. */
  readonly knows: number;
}

/** Viewers with the same scope and form: each piece is made once and written to all of them. */
export interface Channel {
  /** The next piece of the update `head` for a viewer that has everything up to `sent`. */
  piece(viewer: ChannelReader, head: { readonly change: number; readonly id: string }): Piece;
  /** To be called with every new update: what was made for the one before is not used again. */
  forget(): void;
}

/** Makes a channel. */
export function createChannel(view: ChannelView): Channel {
  const made = new Map<string, Piece>();
  const rowsMax = Math.max(1, Math.floor(view.pieceBytesMax / ROW_BYTES[view.format]));

  function make(
    { sent: after, knows }: ChannelReader,
    head: { readonly change: number; readonly id: string },
  ): Piece {
    const devices: MapDevice[] = [];
    let upTo = head.change;
    for (const device of view.fleet().between(after, head.change)) {
      if (devices.length === rowsMax) {
        upTo = devices.at(-1)?.change ?? after;
        break;
      }
      // A viewer that begins has never seen what is gone.
      if (isHidden(device, view.showsStates) && after === 0) continue;
      if (!view.showsStates && device.plainChange <= knows) continue;
      if (view.provider === undefined || device.fix.provider === view.provider) {
        devices.push(device);
      }
    }
    if (devices.length === 0) return { bytes: undefined, upTo };
    const isLast = upTo === head.change;
    const amidId = knows === 0 ? view.beginId : undefined;
    const contents = {
      devices, since: knows, hasMore: !isLast, atMs: view.clock.nowMs(),
      id: isLast ? head.id : amidId,
      showsClients: view.showsClients, showsStates: view.showsStates,
    };
    const bytes = view.format === 'json' ? jsonUpdate(contents) : binaryUpdate(contents);
    return { bytes, upTo };
  }

  return {
    piece(viewer, head) {
      const name = `${viewer.sent}:${viewer.knows}`;
      let piece = made.get(name);
      if (piece === undefined) {
        piece = make(viewer, head);
        made.set(name, piece);
      }
      return piece;
    },
    forget: () => { made.clear(); },
  };
}
