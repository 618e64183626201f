import type { Clock } from '../../../kernel/clock.ts';
import { createChannel, type Channel, type ChannelView } from './channel.ts';
import type { Fleets } from './fleets.ts';
import type { FixQuestion } from './question.ts';

/** The channels of a feed, one for all who see the same in the same form. */
export interface Channels {
  of(question: FixQuestion): Channel;
  /** Ends the channel of a question; the next who asks it gets another. */
  end(question: FixQuestion): void;
  /** Lets each make its next pieces from the fleets as they are then. */
  forget(): void;
}

/** Makes the channels of a feed that has no viewer; `fleets` are asked each time. */
export function createChannels(
  { pieceBytesMax, beginId }: Pick<ChannelView, 'pieceBytesMax' | 'beginId'>, clock: Clock,
  fleets: () => Fleets,
): Channels {
  const channels = new Map<string, Channel>();
  return {
    of(question) {
      const { whose, provider, format, states } = question;
      const name = nameOf(question);
      const channel = channels.get(name) ?? createChannel({
        // After a new beginning there is another fleet.
        fleet: () => fleets().of(whose), provider, format, showsClients: whose === 'all',
        showsStates: states, pieceBytesMax, clock, beginId,
      });
      channels.set(name, channel);
      return channel;
    },
    end(question) { channels.delete(nameOf(question)); },
    forget() {
      for (const channel of channels.values()) channel.forget();
    },
  };
}

function nameOf({ whose, provider, format, states }: FixQuestion): string {
  return JSON.stringify([whose, provider, format, states]);
}
