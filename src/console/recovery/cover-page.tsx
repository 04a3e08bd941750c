import { Group, SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "urql";
import type { CoverStoryQuery } from "../generated/operations.ts";
import { useFormats } from "../language/formats.ts";
import { useApiLanguage, useTexts } from "../language/language.tsx";
import { EmptyNotice, ErrorNotice, LoadingLines } from "../parts/notices.tsx";
import { Page } from "../parts/page.tsx";
import { partsTexts } from "../parts/parts.texts.ts";
import { Section } from "../parts/section.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { TextLink } from "../parts/text-link.tsx";
import { useVendor } from "../session/vendor.tsx";
import { CoverStory } from "./cover-story.tsx";
import { NextRetry } from "./next-retry.tsx";
import { COVER_STORY } from "./recovery.query.ts";
import { recoveryTexts } from "./recovery.texts.ts";
import { RulebookLimit } from "./rulebook-limit.tsx";
import { COVER_TONES, recoveryWords } from "./words.texts.ts";

type Cover = NonNullable<CoverStoryQuery["cover"]>;

/** One cover: its story, its next retry and what limits it. */
export default function CoverPage({ id }: { id: string }) {
  const texts = useTexts(recoveryTexts);
  const parts = useTexts(partsTexts);
  const { zoneId: vendorZoneId } = useVendor();
  const [{ data, error }, retry] = useQuery({
    query: COVER_STORY,
    variables: { id, language: useApiLanguage() },
  });
  const cover = data?.cover;
  const zoneId = cover?.order?.customer.timeZone ?? vendorZoneId;
  return (
    <Page title={cover ? texts.cover(cover.payerName) : texts.title}>
      <Stack gap="lg">
        <div>
          <TextLink to="/recovery">{texts.backToList}</TextLink>
        </div>
        {error ? (
          <ErrorNotice error={error} onRetry={() => retry({ requestPolicy: "network-only" })} />
        ) : !data ? (
          <LoadingLines />
        ) : !cover ? (
          <EmptyNotice>{parts.recordMissing}</EmptyNotice>
        ) : (
          <>
            <CoverFacts cover={cover} />
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              <CoverStory cover={cover} zoneId={zoneId} />
              <Stack gap="lg">
                <NextRetry cover={cover} zoneId={zoneId} />
                <RulebookLimit decision={cover.decision} zoneId={zoneId} />
              </Stack>
            </SimpleGrid>
          </>
        )}
      </Stack>
    </Page>
  );
}

function CoverFacts({ cover }: { cover: Cover }) {
  const texts = useTexts(recoveryTexts);
  const words = useTexts(recoveryWords);
  const { money, time } = useFormats();
  const { state, amount, currency, startedAt, endReason, order, renewalOrder, policy, experimentArm, shadow } = cover;
  return (
    <Section
      title={texts.details}
      aside={
        <Group gap="xs">
          <StateBadge tone={COVER_TONES[state]}>{words.states[state]}</StateBadge>
          {endReason && endReason !== "PAID" && <StateBadge tone="neutral">{words.endReasons[endReason]}</StateBadge>}
        </Group>
      }
    >
      <dl className="facts">
        {renewalOrder && (
          <>
            <dt>{texts.payer}</dt>
            <dd>
              <TextLink to={`/customers/${renewalOrder.customer.databaseId}`}>{cover.payerName}</TextLink>
            </dd>
          </>
        )}
        <dt>{texts.amount}</dt>
        <dd>{money(amount, currency)}</dd>
        <dt>{texts.started}</dt>
        <dd>{time(startedAt)}</dd>
        <dt>{texts.orderName}</dt>
        <dd>
          {renewalOrder ? (
            <TextLink to={`/orders/${renewalOrder.databaseId}`}>{renewalOrder.code}</TextLink>
          ) : (
            (order?.partnerOrderId ?? "–")
          )}
        </dd>
        <dt>{texts.policy}</dt>
        <dd>{policy.version}</dd>
        {experimentArm && (
          <>
            <dt>{texts.arm}</dt>
            <dd>{experimentArm.isHoldout ? texts.holdout : texts.armNumber(experimentArm.number)}</dd>
          </>
        )}
        {shadow && (
          <>
            <dt>{texts.shadow}</dt>
            <dd>{texts.yes}</dd>
          </>
        )}
      </dl>
    </Section>
  );
}
