import { useState } from "react";
import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "urql";
import { billingWords } from "../../billing/words.texts.ts";
import { useFormats } from "../../language/formats.ts";
import { useTexts } from "../../language/language.tsx";
import { EmptyNotice, ErrorNotice, LoadingLines } from "../../parts/notices.tsx";
import { Page } from "../../parts/page.tsx";
import { RecordTable } from "../../parts/record-table.tsx";
import { TextLink } from "../../parts/text-link.tsx";
import { useVendor } from "../../session/vendor.tsx";
import { MapDialog, type MappableDecline, type UnmappedDecline } from "./map-dialog.tsx";
import { UNMAPPED_DECLINES } from "./unmapped.query.ts";
import { unmappedTexts } from "./unmapped.texts.ts";
import { recoveryWords } from "../words.texts.ts";
import { Permitted } from "../../session/permitted.tsx";

const isMappable = (row: UnmappedDecline): row is MappableDecline => row.errorCode !== null;

/** A mapped code is unmapped no longer. */
const AFTER_MAPPINGS = { additionalTypenames: ["MapDeclineCodePayload"] };

/** Decline codes without a known meaning, with the value that was lost after them. */
export default function UnmappedPage() {
  const texts = useTexts(unmappedTexts);
  const { gateway } = useTexts(billingWords);
  const { reasons } = useTexts(recoveryWords);
  const { money, count, time, percent } = useFormats();
  const { currency } = useVendor();
  const [open, setOpen] = useState<MappableDecline>();
  const [{ data, error }, retry] = useQuery({ query: UNMAPPED_DECLINES, context: AFTER_MAPPINGS });
  return (
    <Page title={texts.title}>
      <Stack gap="md">
        <div>
          <TextLink to="/recovery">{texts.back}</TextLink>
        </div>
        <Text c="dimmed">{texts.hint}</Text>
        {error ? (
          <ErrorNotice error={error} onRetry={() => retry({ requestPolicy: "network-only" })} />
        ) : !data ? (
          <LoadingLines />
        ) : data.unmappedDeclines.length === 0 ? (
          <EmptyNotice>{texts.empty}</EmptyNotice>
        ) : (
          <RecordTable
            label={texts.title}
            rows={data.unmappedDeclines}
            keyOf={({ paymentGateway, errorCode }) => `${paymentGateway} ${errorCode ?? ""}`}
            columns={[
              { title: texts.code, cell: ({ errorCode }) => errorCode ?? texts.noCode },
              { title: texts.gateway, isWideOnly: true, cell: ({ paymentGateway }) => gateway(paymentGateway) },
              { title: texts.message, isWideOnly: true, cell: ({ errorMessage }) => errorMessage ?? "–" },
              { title: texts.declines, isNumber: true, cell: ({ declines }) => count(declines) },
              { title: texts.lost, isNumber: true, cell: ({ lostAmount }) => money(lostAmount, currency) },
              { title: texts.lastSeen, isWideOnly: true, isDate: true, cell: ({ lastSeenAt }) => time(lastSeenAt) },
              {
                title: texts.suggestion,
                isWideOnly: true,
                cell: ({ suggestion }) =>
                  suggestion
                    ? texts.suggested(
                        reasons[suggestion.reasonClass],
                        percent(suggestion.probability),
                        count(suggestion.tries),
                      )
                    : "–",
              },
              {
                title: texts.action,
                cell: (row) =>
                  isMappable(row) && (
                    <Permitted area="RECOVERY">
                      <Button
                        size="xs"
                        variant="default"
                        aria-label={texts.mapCode(row.errorCode)}
                        onClick={() => setOpen(row)}
                      >
                        {texts.map}
                      </Button>
                    </Permitted>
                  ),
              },
            ]}
          />
        )}
        {open && <MapDialog decline={open} onClose={() => setOpen(undefined)} />}
      </Stack>
    </Page>
  );
}
