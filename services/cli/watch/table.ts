/** Lines of a table for people: columns as wide as their widest cell, numbers to the right. */
export function tableOf(
  heads: readonly string[], rows: readonly (readonly (string | number)[])[],
): readonly string[] {
  const widths = heads.map((head, at) => (
    Math.max(head.length, ...rows.map((row) => String(row[at] ?? '').length))
  ));
  const line = (cells: readonly (string | number)[], isHead: boolean): string => cells
    .map((cell, at) => {
      const width = widths[at] ?? 0;
      const isNumber = typeof (isHead ? rows[0]?.[at] : cell) === 'number';
      return isNumber ? String(cell).padStart(width) : String(cell).padEnd(width);
    }).join('  ').trimEnd();
  return [line(heads, true), ...rows.map((row) => line(row, false))];
}
