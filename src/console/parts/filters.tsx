import { NativeSelect } from "@mantine/core";
import { useSearchParams } from "wouter";

/** The value of a filter in the address, and a function that changes it and returns to the first slice. */
export function useFilter(name: string): [value: string, change: (value: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const change = (value: string) =>
    setParameters((previous) => {
      const changed = new URLSearchParams(previous);
      for (const removed of ["after", "before", name]) changed.delete(removed);
      if (value !== "") changed.set(name, value);
      return changed;
    });
  return [parameters.get(name) ?? "", change];
}

/** The filter's value if it is one of the words, so that a changed address filters by nothing unknown. */
export const oneOf = <Word extends string>(words: readonly Word[], value: string): Word | undefined =>
  words.find((word) => word === value);

interface SelectFilterProps {
  name: string;
  label: string;
  /** The text of the choice that filters nothing. */
  all: string;
  options: readonly { value: string; label: string }[];
}

export function SelectFilter({ name, label, all, options }: SelectFilterProps) {
  const [value, change] = useFilter(name);
  return (
    <NativeSelect
      label={label}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      data={[{ value: "", label: all }, ...options]}
    />
  );
}
