/** Labels that a resource must have, as Kubernetes writes it. */
export interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string; readonly operator: string; readonly values?: readonly string[];
  }[];
}

/** Whether labels are among those that a selector means; an empty one means all. */
export function selects(
  { matchLabels = {}, matchExpressions = [] }: Selector, labels: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value)
    && matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      switch (operator) {
        case 'In': return value !== undefined && values.includes(value);
        case 'NotIn': return value === undefined || !values.includes(value);
        case 'Exists': return value !== undefined;
        case 'DoesNotExist': return value === undefined;
        default: throw new Error(`No selector has the operator ${operator}.`);
      }
    });
}
