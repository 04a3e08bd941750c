import type { WebhookDisabledReason } from "../../generated/operations.ts";
import { translations } from "../../language/language.tsx";

interface WebhookWords {
  disabledReasons: Record<WebhookDisabledReason, string>;
}

const english: WebhookWords = {
  disabledReasons: {
    FAILING: "All attempts of three days failed",
    GONE: "The receiver answered that it is gone (410)",
    MERCHANT: "It was disabled here or by the API",
  },
};

const korean: WebhookWords = {
  disabledReasons: {
    FAILING: "3일 동안 모든 시도가 실패했습니다",
    GONE: "수신 서버가 사라졌다고 응답했습니다(410)",
    MERCHANT: "콘솔이나 API에서 사용 중지했습니다",
  },
};

export const webhooksTexts = translations(
  {
    ...english,
    add: "New webhook endpoint",
    back: "Back to the developers' page",
    title: "Webhook endpoint",
    urlHint: "A public https address; a sandbox may use http.",
    description: "Description",
    descriptionHint: "For people. Optional.",
    types: "Event types",
    typesHint: "Such as order.paid, cover.recovered. Empty for all events.",
    create: "Create the endpoint",
    secret: "Signing secret",
    secretHint:
      "It is shown only now. Store it where the receiver verifies signatures: with it, messages can be forged that look like Recoup's.",
    copy: "Copy the secret",
    copied: "The secret was copied.",
    open: "Open the endpoint",
    created: "Created",
    disabledAt: "Disabled on",
    disabledReason: "Reason",
    failingSince: "Failing since",
    previousSecret: "The previous secret signs until",
    deliveries: "Webhook deliveries",
    test: "Send a test",
    testRule: "A message of the type webhook.test is sent to this endpoint within a second or so.",
    testNoEvent: "It is no event: other endpoints and timelines do not get it.",
    disable: "Disable",
    disableTitle: "Disable the endpoint",
    disableRule: "Open deliveries wait until it is enabled again.",
    disableEvents: "Events from now on are not sent to it, not even later.",
    enable: "Enable",
    enableTitle: "Enable the endpoint",
    enableRule: "Open deliveries are sent at once, and events from now on.",
    rotate: "Replace the secret",
    rotateRule:
      "A new secret is shown once. For 24 hours messages have two signatures, by the new and by the previous secret.",
    delete: "Delete",
    deleteTitle: "Delete the endpoint",
    deleteRule: "It gets no event any more. Open deliveries are dropped. This cannot be undone.",
    redeliver: "Deliver again",
    redeliverOf: (event: string) => `Deliver again: ${event}`,
    redeliverRule:
      "The same message is sent once more, with the same webhook-id, so that the receiver can recognize it.",
  },
  {
    ...korean,
    add: "새 웹훅 엔드포인트",
    back: "개발자 페이지로 돌아가기",
    title: "웹훅 엔드포인트",
    urlHint: "공개된 https 주소를 입력하세요. 샌드박스에서는 http도 됩니다.",
    description: "설명",
    descriptionHint: "구분하기 위한 설명입니다. 선택 사항입니다.",
    types: "이벤트 유형",
    typesHint: "order.paid, cover.recovered처럼 입력하세요. 비워 두면 모든 이벤트입니다.",
    create: "엔드포인트 만들기",
    secret: "서명 비밀 키",
    secretHint:
      "지금만 표시됩니다. 서명을 확인하는 서버에 보관하세요. 이 키가 있으면 Recoup인 것처럼 메시지를 보낼 수 있습니다.",
    copy: "비밀 키 복사",
    copied: "비밀 키를 복사했습니다.",
    open: "엔드포인트 열기",
    created: "생성 시각",
    disabledAt: "중지 시각",
    disabledReason: "사유",
    failingSince: "실패 시작",
    previousSecret: "이전 비밀 키의 서명 기한",
    deliveries: "웹훅 전달 내역",
    test: "테스트 보내기",
    testRule: "webhook.test 유형의 메시지가 1초 정도 안에 이 엔드포인트로 전송됩니다.",
    testNoEvent: "이벤트가 아니므로 다른 엔드포인트와 진행 내역에는 남지 않습니다.",
    disable: "사용 중지",
    disableTitle: "엔드포인트 사용 중지하기",
    disableRule: "전달 중인 메시지는 다시 사용할 때까지 기다립니다.",
    disableEvents: "지금부터의 이벤트는 나중에도 전송되지 않습니다.",
    enable: "사용하기",
    enableTitle: "엔드포인트 사용하기",
    enableRule: "대기 중이던 메시지와 지금부터의 이벤트를 전송합니다.",
    rotate: "비밀 키 교체하기",
    rotateRule: "새 비밀 키는 한 번만 표시됩니다. 24시간 동안은 새 키와 이전 키로 함께 서명합니다.",
    delete: "삭제",
    deleteTitle: "엔드포인트 삭제하기",
    deleteRule: "더 이상 이벤트를 받지 않으며 대기 중인 메시지는 버려집니다. 되돌릴 수 없습니다.",
    redeliver: "다시 전달",
    redeliverOf: (event: string) => `다시 전달: ${event}`,
    redeliverRule: "같은 메시지를 같은 webhook-id로 한 번 더 보내므로 수신 서버가 알아볼 수 있습니다.",
  },
);
