/** The reason why an operation on the database was refused: nothing was changed, and the operator can act. */
export class OperationError extends Error {
  override readonly name = "OperationError";
  constructor(
    readonly code:
      | "BACKUP_EXISTS"
      | "BACKUP_DAMAGED"
      | "BACKUP_NEWER"
      | "BACKUP_OF_OTHER_CELL"
      | "DATABASE_NOT_EMPTY"
      | "DATABASE_IN_USE"
      | "DATABASE_WITHOUT_TABLES"
      | "SECRETS_KEY_DIFFERS"
      | "CELL_BUSY"
      | "CELL_EXISTS"
      | "CELL_NOT_FOUND"
      | "CELL_NOT_OPEN"
      | "CELL_NOT_LOST"
      | "TOO_MANY_CELLS",
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
