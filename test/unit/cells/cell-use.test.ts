import { expect, test } from "vitest";
import { selectRoomiest } from "../../../src/cells/cell-use.ts";

const place = (name: string, bytes: number, families: number) => ({
  name,
  use: { bytes, families, vendors: families },
});

test("a new family goes to the smallest place, and among equally large ones to that with the fewest families", () => {
  const [large, full, free] = [place("large", 5e9, 1), place("full", 2e7, 3), place("free", 9e7, 2)];
  expect(selectRoomiest([large, full, free]).name).toBe("free");
  expect(selectRoomiest([free, full]).name).toBe("free");
  expect(selectRoomiest([large]).name).toBe("large");
  expect(selectRoomiest([full, place("also full", 2e7, 3)]).name).toBe("full");
});
