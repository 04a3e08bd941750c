import { useState } from "react";
import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useMutation } from "urql";
import { toRequestError } from "../graphql/request-error.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { ProblemNotice } from "../parts/notices.tsx";
import { Section } from "../parts/section.tsx";
import { useVendor } from "../session/vendor.tsx";
import { Permitted } from "../session/permitted.tsx";
import { ADVANCE_CLOCK } from "./developers.query.ts";
import { developersTexts } from "./developers.texts.ts";

const DURATIONS = ["PT1H", "P1D", "P3D", "P7D", "P30D"] as const;

/** Moves the clock of a sandbox, and says first what that does. */
export function TestClock() {
  const texts = useTexts(developersTexts);
  const { time } = useFormats();
  const { now } = useVendor();
  const [by, setBy] = useState<(typeof DURATIONS)[number]>("P1D");
  const [{ data, error, fetching }, advance] = useMutation(ADVANCE_CLOCK);
  const problem = error && toRequestError(error);
  return (
    <Section title={texts.clock}>
      <Stack gap="sm">
        <Text>
          {texts.clockNow} <strong>{time(now)}</strong>
        </Text>
        <Text size="sm" c="dimmed">
          {texts.clockHint}
        </Text>
        <Permitted area="ADMIN">
          <Group align="flex-end">
            <NativeSelect
              label={texts.advanceBy}
              value={by}
              onChange={({ currentTarget }) => setBy(DURATIONS.find((one) => one === currentTarget.value) ?? "P1D")}
              data={DURATIONS.map((value) => ({ value, label: texts.durations[value] }))}
            />
            <Button loading={fetching} onClick={() => void advance({ by })}>
              {texts.advance}
            </Button>
          </Group>
        </Permitted>
        <div role="status">{data && !error && <Text>{texts.advanced(time(data.advanceTestClock.now))}</Text>}</div>
        <ProblemNotice problem={problem} />
      </Stack>
    </Section>
  );
}
