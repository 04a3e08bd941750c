import { useMemo } from "react";
import { gql, useQuery } from "urql";
import type { EventType, EventTypesQuery, EventTypesQueryVariables } from "../generated/operations.ts";

const EVENT_TYPES = gql<EventTypesQuery, EventTypesQueryVariables>(/* GraphQL */ `
  query EventTypes {
    types: __type(name: "EventType") {
      enumValues {
        name
      }
    }
    subjects: __type(name: "EventSubject") {
      enumValues {
        name
      }
    }
  }
`);

/** The types of events that the schema has, with their names on the wire: ORDER_PAID is `order.paid`. */
export function useEventTypes(): { type: EventType; name: string }[] {
  const [{ data }] = useQuery({ query: EVENT_TYPES });
  return useMemo(() => {
    const subjects = wordsOf(data?.subjects).sort((one, other) => other.length - one.length);
    return wordsOf(data?.types).map((type) => {
      const subject = subjects.find((words) => type.startsWith(`${words}_`)) ?? "";
      const name = `${subject}.${type.slice(subject.length + 1)}`.toLowerCase();
      return { type: type as EventType, name };
    });
  }, [data]);
}

const wordsOf = (type: EventTypesQuery["types"] | undefined): string[] =>
  type?.enumValues?.map(({ name }) => name) ?? [];
