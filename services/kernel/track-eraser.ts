/** Erases positions in the analytical store. */
export interface TrackEraser {
  /**
   * Deletes what came from a device and was received up to a time, and computes again what is left
   * of it. Again after a failure it goes on. Answers how many rows were deleted.
   */
  erase(deviceId: string, receivedUntilMs: number): Promise<number>;
}
