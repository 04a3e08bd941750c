import type { ReactNode } from "react";
import { Alert, Button, Code, Skeleton, Stack, Text } from "@mantine/core";
import type { CombinedError } from "urql";
import { toRequestError, type RequestError } from "../graphql/request-error.ts";
import { useTexts } from "../language/language.tsx";
import { partsTexts } from "./parts.texts.ts";

/** Says what failed, with the id to quote, and requests it again. */
export function ErrorNotice({ error, onRetry }: { error: CombinedError; onRetry: () => void }) {
  const texts = useTexts(partsTexts);
  const { message, code, traceId } = toRequestError(error);
  return (
    <Alert color="red" role="alert" title={texts.failed}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{message ?? texts.unreachable}</Text>
        {code !== undefined && (
          <Text size="sm">
            <Code>{code}</Code> {traceId !== undefined && `${texts.trace}: ${traceId}`}
          </Text>
        )}
        <Button variant="default" size="xs" onClick={onRetry}>
          {texts.retry}
        </Button>
      </Stack>
    </Alert>
  );
}

/** Lines where a table or a text will be, so that nothing moves when it comes. */
export function LoadingLines({ count = 8 }: { count?: number }) {
  const texts = useTexts(partsTexts);
  return (
    <div role="status" aria-label={texts.loading}>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={18} my={22} />
      ))}
    </div>
  );
}

/** Says why an action was refused, or that its answer was lost. */
export function ProblemNotice({ problem }: { problem: RequestError | undefined }) {
  const texts = useTexts(partsTexts);
  return (
    problem && (
      <Alert color="red" role="alert" title={problem.code}>
        {problem.message ?? texts.unreachable}
      </Alert>
    )
  );
}

export const EmptyNotice = ({ children }: { children: ReactNode }) => <p className="empty">{children}</p>;
