/** The instant from which a card is not valid any more: the start of the next month, in UTC. @param month 1 to 12. */
export const endOfCardMonth = (year: number, month: number): Date => new Date(Date.UTC(year, month));
