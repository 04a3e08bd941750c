import type { KeyScope, PersonRole, PersonState } from "../../generated/operations.ts";
import { translations } from "../../language/language.tsx";
import type { Tone } from "../../parts/state-badge.tsx";

/** The state of a key, by its times. */
export type KeyState = "ACTIVE" | "REPLACED" | "EXPIRED" | "REVOKED";

interface AccessWords {
  scopes: Record<KeyScope, string>;
  scopeHints: Record<KeyScope, string>;
  keyStates: Record<KeyState, string>;
  roles: Record<PersonRole, string>;
  roleHints: Record<PersonRole, string>;
  personStates: Record<PersonState, string>;
}

const english: AccessWords = {
  scopes: { READ: "Read", WRITE: "Write", RECOVERY: "Recovery", ADMIN: "Administration", SESSIONS: "Browser sessions" },
  scopeHints: {
    READ: "Queries and streams of events",
    WRITE: "Customers, orders, subscriptions, payments, invoices, products",
    RECOVERY: "Recoveries, retry policies, experiments, models",
    ADMIN: "Settings, gateways, webhooks, people, keys and browser sessions",
    SESSIONS: "Short-lived tokens for your own web pages, and nothing else",
  },
  keyStates: { ACTIVE: "Active", REPLACED: "Replaced", EXPIRED: "Expired", REVOKED: "Revoked" },
  roles: { OWNER: "Owner", FINANCE: "Finance", SUPPORT: "Support", READ_ONLY: "Read only" },
  roleHints: {
    OWNER: "Everything, also settings, people and keys.",
    FINANCE: "Customers, orders, money, products and recovery.",
    SUPPORT: "Customers, orders and subscriptions, but no money.",
    READ_ONLY: "Sees everything and changes nothing.",
  },
  personStates: { INVITED: "Invited", ACTIVE: "Active", REMOVED: "Removed" },
};

const korean: AccessWords = {
  scopes: { READ: "읽기", WRITE: "쓰기", RECOVERY: "회복", ADMIN: "관리", SESSIONS: "브라우저 세션" },
  scopeHints: {
    READ: "조회와 이벤트 스트림",
    WRITE: "고객, 주문, 구독, 결제, 청구서, 상품",
    RECOVERY: "회복, 재시도 정책, 실험, 모델",
    ADMIN: "설정, 게이트웨이, 웹훅, 구성원, 키와 브라우저 세션",
    SESSIONS: "판매자 웹페이지용 단기 토큰만 만들 수 있음",
  },
  keyStates: { ACTIVE: "사용 중", REPLACED: "교체됨", EXPIRED: "만료됨", REVOKED: "폐기됨" },
  roles: { OWNER: "소유자", FINANCE: "재무", SUPPORT: "고객 지원", READ_ONLY: "읽기 전용" },
  roleHints: {
    OWNER: "설정, 구성원, 키를 포함한 모든 작업",
    FINANCE: "고객, 주문, 결제, 상품, 회복",
    SUPPORT: "고객, 주문, 구독(결제 제외)",
    READ_ONLY: "모두 볼 수 있지만 변경할 수 없습니다.",
  },
  personStates: { INVITED: "초대됨", ACTIVE: "사용 중", REMOVED: "제거됨" },
};

export const KEY_TONES: Record<KeyState, Tone> = {
  ACTIVE: "good",
  REPLACED: "running",
  EXPIRED: "neutral",
  REVOKED: "neutral",
};

export const PERSON_TONES: Record<PersonState, Tone> = { ACTIVE: "good", INVITED: "running", REMOVED: "neutral" };

export const accessTexts = translations(
  {
    ...english,
    back: "Back to the developers' page",
    keys: "API keys",
    noKeys: "There is no key yet.",
    newKey: "New key",
    name: "Name",
    nameHint: "By which you recognize it, such as the program that uses it.",
    scopesLabel: "Scopes",
    lifetime: "Lifetime",
    lifetimes: { "30": "30 days", "90": "90 days", "365": "1 year", "": "Does not expire" },
    createKey: "Create the key",
    secret: "Token of the key",
    secretHint: "It is shown only now. Store it where the program reads it, and send it in the header Secret-Token.",
    copy: "Copy the token",
    copied: "The token was copied.",
    ending: "Ends with",
    state: "State",
    lastUsed: "Last used",
    never: "Never",
    expires: "Expires",
    created: "Created",
    action: "Action",
    rotate: "Rotate",
    rotateOf: (name: string) => `Rotate the key ${name}`,
    rotateRule: "A new key with the same scopes and lifetime is created. Its token is shown once.",
    graceRule: (hours: string) =>
      hours === "0" ? "The old key is refused at once." : `The old key stays valid for ${hours} hours at most.`,
    grace: "The old key stays valid for",
    graces: { "0": "No longer", "24": "1 day", "168": "1 week" },
    revoke: "Revoke",
    revokeOf: (name: string) => `Revoke the key ${name}`,
    revokeRule: "Its token is refused from now on. It cannot be undone.",
    people: "People",
    noPeople: "Nobody is invited yet.",
    invitePerson: "Invite a person",
    email: "E-mail address",
    role: "Role",
    invite: "Send the invitation",
    invited: (email: string) => `The invitation to ${email} is on its way. The link can be used for seven days.`,
    invitation: "Invitation",
    validUntil: (time: string) => `Until ${time}`,
    changeRole: "Change role",
    changeRoleOf: (email: string) => `Change role: ${email}`,
    roleRule: "It counts from the next click on, without a new sign-in.",
    resetFactor: "Reset second factor",
    resetFactorOf: (email: string) => `Reset second factor: ${email}`,
    resetFactorRule: "The person signs in with the password alone, and can set up a new second factor.",
    remove: "Remove",
    removeOf: (email: string) => `Remove ${email}`,
    removeRule: "All sessions end, and the person can no longer sign in. What the person did stays in the history.",
    withdrawRule: "The link of the invitation can no longer be used.",
    resend: "Invite again",
    resendOf: (email: string) => `Invite again: ${email}`,
    resendRule: "A mail with a new link is sent. The old link can no longer be used.",
  },
  {
    ...korean,
    back: "개발자 페이지로 돌아가기",
    keys: "API 키",
    noKeys: "아직 키가 없습니다.",
    newKey: "새 키",
    name: "이름",
    nameHint: "키를 사용하는 프로그램처럼 구분할 수 있는 이름을 입력하세요.",
    scopesLabel: "권한 범위",
    lifetime: "유효 기간",
    lifetimes: { "30": "30일", "90": "90일", "365": "1년", "": "만료 없음" },
    createKey: "키 만들기",
    secret: "키 토큰",
    secretHint: "지금만 표시됩니다. 프로그램이 읽을 수 있는 곳에 보관하고 Secret-Token 헤더로 보내세요.",
    copy: "토큰 복사",
    copied: "토큰을 복사했습니다.",
    ending: "끝 네 글자",
    state: "상태",
    lastUsed: "마지막 사용",
    never: "없음",
    expires: "만료",
    created: "생성 시각",
    action: "작업",
    rotate: "교체",
    rotateOf: (name: string) => `교체: ${name}`,
    rotateRule: "권한 범위와 유효 기간이 같은 새 키를 만듭니다. 토큰은 한 번만 표시됩니다.",
    graceRule: (hours: string) =>
      hours === "0" ? "이전 키는 바로 거부됩니다." : `이전 키는 최대 ${hours}시간 동안 계속 사용할 수 있습니다.`,
    grace: "이전 키 유지 기간",
    graces: { "0": "유지하지 않음", "24": "1일", "168": "1주" },
    revoke: "폐기",
    revokeOf: (name: string) => `폐기: ${name}`,
    revokeRule: "지금부터 이 토큰은 거부됩니다. 되돌릴 수 없습니다.",
    people: "구성원",
    noPeople: "아직 초대한 사람이 없습니다.",
    invitePerson: "구성원 초대",
    email: "이메일 주소",
    role: "역할",
    invite: "초대 보내기",
    invited: (email: string) => `${email} 주소로 초대를 보냅니다. 링크는 7일 동안 사용할 수 있습니다.`,
    invitation: "초대",
    validUntil: (time: string) => `${time}까지`,
    changeRole: "역할 변경",
    changeRoleOf: (email: string) => `역할 변경: ${email}`,
    roleRule: "다시 로그인하지 않아도 바로 적용됩니다.",
    resetFactor: "2단계 인증 초기화",
    resetFactorOf: (email: string) => `2단계 인증 초기화: ${email}`,
    resetFactorRule: "비밀번호만으로 로그인할 수 있게 되며 2단계 인증을 새로 설정할 수 있습니다.",
    remove: "제거",
    removeOf: (email: string) => `제거: ${email}`,
    removeRule: "모든 기기에서 로그아웃되며 더 이상 로그인할 수 없습니다. 지금까지의 기록은 남습니다.",
    withdrawRule: "초대 링크를 더 이상 사용할 수 없습니다.",
    resend: "다시 초대",
    resendOf: (email: string) => `다시 초대: ${email}`,
    resendRule: "새 링크가 담긴 메일을 보냅니다. 이전 링크는 사용할 수 없습니다.",
  },
);
