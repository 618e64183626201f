/** A fix as far as days and trips go: seconds, degrees, kilometers/hour, kilometers. */
export interface NaiveFix {
  readonly ts: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speed?: number | undefined;
  readonly odometer?: number | undefined;
}
