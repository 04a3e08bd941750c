import { useEffect, useState } from "react";

/** How long typing must rest before something is requested for it. */
const REST_MILLISECONDS = 300;

/** The value after it has not changed for a moment. */
export function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
