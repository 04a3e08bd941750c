/** The fields that were sent: an absent one leaves the record as it is. */
export function sent<Fields extends object>(fields: Fields): { [K in keyof Fields]?: Exclude<Fields[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

/** The fields that were sent with a value: of a record's required fields a null says as little as none. */
export function told<Fields extends object>(fields: Fields): { [K in keyof Fields]?: NonNullable<Fields[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as never;
}
