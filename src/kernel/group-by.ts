/** Rows by a key that several of them may have, in their order. */
export function groupBy<Key, Row>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const existing = groups.get(keyOf(row));
    if (existing) existing.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}
