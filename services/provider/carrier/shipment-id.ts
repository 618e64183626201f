/** The platform's id of the nth shipment of a run. */
export function shipmentIdOf(run: string, number: number): string {
  return `${run}-${number}`;
}
