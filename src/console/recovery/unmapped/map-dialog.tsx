import { useState } from "react";
import { Button, NativeSelect, Text } from "@mantine/core";
import { useQuery } from "urql";
import { ActionDialog } from "../../actions/action-dialog.tsx";
import { useAction } from "../../actions/use-action.ts";
import type { ReasonClass, UnmappedDeclinesQuery } from "../../generated/operations.ts";
import { useFormats } from "../../language/formats.ts";
import { useTexts } from "../../language/language.tsx";
import { ErrorNotice, LoadingLines } from "../../parts/notices.tsx";
import { BacktestFigures } from "../backtests/backtest-figures.tsx";
import { MEANINGS, recoveryWords } from "../words.texts.ts";
import { MAP_DECLINE, PREVIEW_MAPPING } from "./unmapped.query.ts";
import { unmappedTexts } from "./unmapped.texts.ts";

export type UnmappedDecline = UnmappedDeclinesQuery["unmappedDeclines"][number];
export type MappableDecline = UnmappedDecline & { errorCode: string };

/** Asks for the meaning of a code, which the code's own retries may suggest; a backtest shows what it would have changed. */
export function MapDialog({ decline, onClose }: { decline: MappableDecline; onClose: () => void }) {
  const texts = useTexts(unmappedTexts);
  const { reasons } = useTexts(recoveryWords);
  const { percent, count } = useFormats();
  const { paymentGateway, errorCode, suggestion } = decline;
  const [reasonClass, setReasonClass] = useState<ReasonClass>(suggestion?.reasonClass ?? "INSUFFICIENT_FUNDS");
  const { isRunning, problem, run } = useAction(MAP_DECLINE);
  const input = { paymentGateway, errorCode, reasonClass };
  const confirm = async () => {
    if (await run({ input })) onClose();
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
      {suggestion && (
        <Text size="sm">
          {texts.suggestionHint(
            reasons[suggestion.reasonClass],
            percent(suggestion.probability),
            count(suggestion.tries),
          )}
        </Text>
      )}
      <MappingPreview key={reasonClass} input={input} />
    </ActionDialog>
  );
}

type MappingInput = { paymentGateway: UnmappedDecline["paymentGateway"]; errorCode: string; reasonClass: ReasonClass };

/** The backtest of a meaning, once it is requested. */
function MappingPreview({ input }: { input: MappingInput }) {
  const texts = useTexts(unmappedTexts);
  const [isRequested, setRequested] = useState(false);
  const [{ data, error }, retry] = useQuery({ query: PREVIEW_MAPPING, variables: { input }, pause: !isRequested });
  if (!isRequested)
    return (
      <div>
        <Button variant="default" size="xs" onClick={() => setRequested(true)}>
          {texts.preview}
        </Button>
      </div>
    );
  if (error) return <ErrorNotice error={error} onRetry={() => retry({ requestPolicy: "network-only" })} />;
  return data ? <BacktestFigures backtest={data.previewDeclineMapping} /> : <LoadingLines count={3} />;
}
