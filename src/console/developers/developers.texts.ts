import type { MessageState, PublishMethod, WebhookDeliveryState } from "../generated/operations.ts";
import { translations } from "../language/language.tsx";
import type { Tone } from "../parts/state-badge.tsx";

interface DevelopersWords {
  deliveryStates: Record<WebhookDeliveryState, string>;
  messageStates: Record<MessageState, string>;
  channels: Record<PublishMethod, string>;
}

const english: DevelopersWords = {
  deliveryStates: { PENDING: "Pending", SUCCEEDED: "Delivered", FAILED: "Failed" },
  messageStates: { QUEUED: "Queued", SENDING: "Being sent", SENT: "Sent", FAILED: "Failed", CANCELED: "Cancelled" },
  channels: { EMAIL: "E-mail", SMS: "Text message", MESSENGER: "Messenger" },
};

const korean: DevelopersWords = {
  deliveryStates: { PENDING: "대기 중", SUCCEEDED: "전달됨", FAILED: "실패" },
  messageStates: { QUEUED: "대기 중", SENDING: "발송 중", SENT: "발송됨", FAILED: "실패", CANCELED: "취소됨" },
  channels: { EMAIL: "이메일", SMS: "문자 메시지", MESSENGER: "메신저" },
};

export const developersTexts = translations(
  {
    ...english,
    title: "Developers",
    back: "Back to the developers' page",
    clock: "Test clock",
    clockNow: "It is now",
    clockHint:
      "A sandbox has its own clock. Everything that falls due until the new time is done: renewals and retries are charged by the simulated gateway, messages and webhooks are sent. The clock cannot be moved back.",
    advanceBy: "Advance by",
    advance: "Advance the clock",
    advanced: (now: string) => `The clock was advanced to ${now}.`,
    durations: { PT1H: "1 hour", P1D: "1 day", P3D: "3 days", P7D: "1 week", P30D: "30 days" },
    endpoints: "Webhook endpoints",
    noEndpoints: "No server gets events yet. createWebhookEndpoint adds one.",
    url: "Address",
    types: "Events",
    allTypes: "All events",
    state: "State",
    enabled: "Enabled",
    disabled: "Disabled",
    failing: "Failing",
    lastSuccess: "Last delivery",
    explore: "Explore",
    page: "Page",
    content: "Content",
    links: {
      deliveries: "Webhook deliveries",
      events: "Events",
      outbox: "Outbox",
      explorer: "API explorer",
      openApi: "OpenAPI document",
      errors: "Error codes",
    },
    linkHints: {
      deliveries: "Each message to your servers with its attempts",
      events: "Everything that happened, in one order",
      outbox: "Messages to customers",
      explorer: "GraphQL with example operations",
      openApi: "The REST interface",
      errors: "Causes and cures",
    },
    noDeliveries: "No delivery matches this filter.",
    event: "Event",
    attempts: "Attempts",
    attempt: (number: number, outcome: string, duration: number) => `${number}: ${outcome} after ${duration} ms`,
    nextAttempt: "Next attempt",
    created: "Created",
    noEvents: "No event was recorded yet.",
    occurred: "Occurred",
    data: "Data",
    showData: "Show the data",
    noMessages: "No message matches this filter.",
    recipient: "Recipient",
    channel: "Channel",
    subject: "Subject",
    error: "Last error",
  },
  {
    ...korean,
    title: "개발자",
    back: "개발자 페이지로 돌아가기",
    clock: "테스트 시계",
    clockNow: "현재 시각",
    clockHint:
      "샌드박스에는 자체 시계가 있습니다. 새 시각까지 예정된 일이 모두 처리됩니다. 갱신과 재시도는 모의 대행사로 결제되고 메시지와 웹훅이 발송됩니다. 시계는 되돌릴 수 없습니다.",
    advanceBy: "이동할 시간",
    advance: "시계 앞당기기",
    advanced: (now: string) => `시계를 ${now}(으)로 앞당겼습니다.`,
    durations: { PT1H: "1시간", P1D: "1일", P3D: "3일", P7D: "1주", P30D: "30일" },
    endpoints: "웹훅 엔드포인트",
    noEndpoints: "아직 이벤트를 받는 서버가 없습니다. createWebhookEndpoint로 추가할 수 있습니다.",
    url: "주소",
    types: "이벤트",
    allTypes: "모든 이벤트",
    state: "상태",
    enabled: "사용 중",
    disabled: "사용 안 함",
    failing: "실패 중",
    lastSuccess: "마지막 전달",
    explore: "살펴보기",
    page: "페이지",
    content: "내용",
    links: {
      deliveries: "웹훅 전달 내역",
      events: "이벤트",
      outbox: "발신함",
      explorer: "API 탐색기",
      openApi: "OpenAPI 문서",
      errors: "오류 코드",
    },
    linkHints: {
      deliveries: "서버로 보낸 메시지와 시도 내역",
      events: "일어난 모든 일을 순서대로",
      outbox: "고객에게 보낸 메시지",
      explorer: "예제가 있는 GraphQL",
      openApi: "REST 인터페이스",
      errors: "원인과 해결 방법",
    },
    noDeliveries: "조건에 맞는 전달 내역이 없습니다.",
    event: "이벤트",
    attempts: "시도",
    attempt: (number: number, outcome: string, duration: number) => `${number}: ${duration}ms 후 ${outcome}`,
    nextAttempt: "다음 시도",
    created: "생성 시각",
    noEvents: "아직 기록된 이벤트가 없습니다.",
    occurred: "발생 시각",
    data: "데이터",
    showData: "데이터 보기",
    noMessages: "조건에 맞는 메시지가 없습니다.",
    recipient: "수신자",
    channel: "채널",
    subject: "제목",
    error: "마지막 오류",
  },
);

export const DELIVERY_TONES: Record<WebhookDeliveryState, Tone> = {
  PENDING: "running",
  SUCCEEDED: "good",
  FAILED: "bad",
};

export const MESSAGE_TONES: Record<MessageState, Tone> = {
  QUEUED: "running",
  SENDING: "running",
  SENT: "good",
  FAILED: "bad",
  CANCELED: "neutral",
};
