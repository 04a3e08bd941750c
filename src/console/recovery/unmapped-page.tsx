import { useState } from "react";
import { Button, NativeSelect, Stack, Text } from "@mantine/core";
import { useQuery } from "urql";
import { ActionDialog } from "../actions/action-dialog.tsx";
import { useAction } from "../actions/use-action.ts";
import type { ReasonClass, UnmappedDeclinesQuery } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useTexts } from "../language/language.tsx";
import { EmptyNotice, ErrorNotice, LoadingLines } from "../parts/notices.tsx";
import { Page } from "../parts/page.tsx";
import { RecordTable } from "../parts/record-table.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { useVendor } from "../session/vendor.tsx";
import { MAP_DECLINE, UNMAPPED_DECLINES } from "./unmapped.query.ts";
import { unmappedTexts } from "./unmapped.texts.ts";
import { MEANINGS, recoveryWords } from "./words.texts.ts";

type Row = UnmappedDeclinesQuery["unmappedDeclines"][number];
type MappableRow = Row & { errorCode: string };

const isMappable = (row: Row): row is MappableRow => row.errorCode !== null;

/** A mapped code is unmapped no longer. */
const AFTER_MAPPINGS = { additionalTypenames: ["MapDeclineCodePayload"] };

/** Decline codes without a known meaning, with the value that was lost after them. */
export default function UnmappedPage() {
  const texts = useTexts(unmappedTexts);
  const { money, count, time } = useFormats();
  const { currency } = useVendor();
  const [open, setOpen] = useState<MappableRow>();
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
              { title: texts.gateway, isWideOnly: true, cell: ({ paymentGateway }) => paymentGateway },
              { title: texts.message, isWideOnly: true, cell: ({ errorMessage }) => errorMessage ?? "–" },
              { title: texts.declines, isNumber: true, cell: ({ declines }) => count(declines) },
              { title: texts.lost, isNumber: true, cell: ({ lostAmount }) => money(lostAmount, currency) },
              { title: texts.lastSeen, isWideOnly: true, cell: ({ lastSeenAt }) => time(lastSeenAt) },
              {
                title: texts.action,
                cell: (row) =>
                  isMappable(row) && (
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={texts.mapCode(row.errorCode)}
                      onClick={() => setOpen(row)}
                    >
                      {texts.map}
                    </Button>
                  ),
              },
            ]}
          />
        )}
        {open && <MapDialog row={open} onClose={() => setOpen(undefined)} />}
      </Stack>
    </Page>
  );
}

function MapDialog({ row, onClose }: { row: MappableRow; onClose: () => void }) {
  const texts = useTexts(unmappedTexts);
  const { reasons } = useTexts(recoveryWords);
  const [reasonClass, setReasonClass] = useState<ReasonClass>("INSUFFICIENT_FUNDS");
  const { isRunning, problem, run } = useAction(MAP_DECLINE);
  const { paymentGateway, errorCode } = row;
  const confirm = async () => {
    if (await run({ input: { paymentGateway, errorCode, reasonClass } })) onClose();
  };
  return (
    <ActionDialog
      title={texts.mapCode(errorCode)}
      confirm={texts.map}
      consequences={[texts.later, texts.earlier, texts.sameGateway]}
      isRunning={isRunning}
      problem={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <NativeSelect
        label={texts.meaning}
        value={reasonClass}
        onChange={({ currentTarget }) =>
          setReasonClass(MEANINGS.find((one) => one === currentTarget.value) ?? "INSUFFICIENT_FUNDS")
        }
        data={MEANINGS.map((value) => ({ value, label: reasons[value] }))}
      />
    </ActionDialog>
  );
}
