import { Code, Group, Stack } from "@mantine/core";
import { useQuery } from "urql";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { useAuthorText } from "../parts/event-author.ts";
import { EventName } from "../parts/event-name.tsx";
import { SelectFilter, useFilter } from "../parts/filters.tsx";
import { ListResult } from "../parts/list-result.tsx";
import { Page } from "../parts/page.tsx";
import { reversedSlice, useSlice } from "../parts/paging.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { EVENTS } from "./developers.query.ts";
import { developersTexts } from "./developers.texts.ts";
import { useEventTypes } from "./event-types.ts";

/** All events, the newest first: the feed is in the order in which they were recorded. */
export default function EventsPage() {
  const texts = useTexts(developersTexts);
  const { time } = useFormats();
  const authorText = useAuthorText();
  const slice = reversedSlice(useSlice());
  const [entered] = useFilter("type");
  const types = useEventTypes();
  const chosen = types.find(({ name }) => name === entered);
  const [result, retry] = useQuery({
    query: EVENTS,
    variables: { ...slice, types: chosen && [chosen.type] },
    // A filter of the address is known only with the types.
    pause: entered !== "" && types.length === 0,
  });
  const feed = result.data?.events;
  const newestFirst = feed && {
    nodes: feed.nodes.toReversed(),
    pageInfo: {
      hasNextPage: feed.pageInfo.hasPreviousPage,
      hasPreviousPage: feed.pageInfo.hasNextPage,
      startCursor: feed.pageInfo.endCursor,
      endCursor: feed.pageInfo.startCursor,
    },
  };
  return (
    <Page title={texts.links.events}>
      <Stack gap="md">
        <div>
          <TextLink to="/developers">{texts.back}</TextLink>
        </div>
        <Group align="flex-end">
          <SelectFilter
            name="type"
            label={texts.type}
            all={texts.allTypes}
            options={types.map(({ name }) => ({ value: name, label: name }))}
          />
        </Group>
        <ListResult
          label={texts.links.events}
          empty={chosen ? texts.noEventsOfType : texts.noEvents}
          result={result}
          connection={newestFirst}
          onRetry={() => retry({ requestPolicy: "network-only" })}
          columns={[
            { title: texts.event, cell: ({ name }) => <EventName name={name} /> },
            { title: texts.author, cell: ({ author }) => authorText(author, "–") },
            { title: texts.occurred, isDate: true, cell: ({ occurredAt }) => time(occurredAt) },
            {
              title: texts.data,
              cell: ({ data, name }) => (
                <details>
                  <summary aria-label={`${texts.showData}: ${name}`}>{texts.showData}</summary>
                  <Code block>{JSON.stringify(data, null, 2)}</Code>
                </details>
              ),
            },
          ]}
        />
      </Stack>
    </Page>
  );
}
