/** Erases positions in the analytical store. */
export interface TrackEraser {
  /**
   * Deletes what came from a device, and answers about its transports, as far as it was received up
   * to a time, and computes again what is left. Again after a failure it goes on. Answers how many
   * rows were deleted.
   */
  erase(
    deviceId: string, transportIds: readonly string[], receivedUntilMs: number,
  ): Promise<number>;
}
