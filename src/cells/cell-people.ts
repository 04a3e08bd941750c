import { DatabaseDown } from "../database/database-errors.ts";
import { cellOfToken, HOME_CELL } from "../kernel/cell-numbers.ts";
import type { PeopleDirectory, PeoplePlace } from "../http/authentication/session-routes.ts";
import type { OpenCells } from "./open-cells.ts";
import type { ServedCell } from "./served-cell.ts";

/** Finds the people of all cells: by e-mail address each is asked, because nothing but their own cell knows them. */
export class CellPeople implements PeopleDirectory {
  constructor(
    private readonly home: () => PeoplePlace,
    private readonly cells: OpenCells<ServedCell>,
  ) {}

  async placesOf(email: string): Promise<readonly PeoplePlace[]> {
    const states = this.cells.states();
    const places = [this.home(), ...states.flatMap(({ opened }) => opened?.gateway?.people ?? [])];
    const answers = await Promise.allSettled(places.map(({ services }) => services().signIns.hasAccount(email)));
    const found = places.filter((_, index) => {
      const answer = answers[index];
      return answer?.status === "fulfilled" && answer.value;
    });
    if (found.length > 0) return found;
    // The account may be at a database that is down: "the password is wrong" would be false.
    const closed = states.find(({ isOpen }) => !isOpen);
    if (closed) throw new DatabaseDown(`The cell ${closed.name} is down.`);
    const failure = answers.find((answer) => answer.status === "rejected");
    if (failure) throw failure.reason;
    return [this.home()];
  }

  async placeOfToken(token: string): Promise<PeoplePlace> {
    const cell = cellOfToken(token);
    const opened = cell === HOME_CELL ? undefined : await this.cells.find(cell);
    return opened?.gateway?.people ?? this.home();
  }
}
