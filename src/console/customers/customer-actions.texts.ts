import { translations } from "../language/language.tsx";

export const customerActionsTexts = translations(
  {
    export: "Export data",
    exporting: "The data is being collected.",
    exported: (file: string) => `Saved as ${file}. The file has personal data: give it to nobody but the customer.`,
    erase: "Erase",
    eraseTitle: "Erase the customer's data",
    confirm: "Erase for good",
    people:
      "Name, e-mail address, phone, addresses and custom fields are deleted. Orders and payments show “[erased]”.",
    messages: "Messages, notes and reasons are deleted, and stored payment methods are removed at their gateway.",
    payers: "The same person as a payer registered for recovery, and the copies at child vendors, are erased too.",
    books: "Amounts, taxes, the ledger and recoveries stay as they are.",
    open: "Unpaid orders, payments in progress and running recoveries prevent it; then nothing is changed.",
    final: "It cannot be undone. Export the data first if you must keep it.",
    cancelSubscriptions: "Cancel live subscriptions now, without a refund",
    code: "The customer's code, as a confirmation",
    codeHint: (code: string) => `Type ${code}`,
  },
  {
    export: "데이터 내보내기",
    exporting: "데이터를 모으는 중입니다.",
    exported: (file: string) => `${file} 파일로 저장했습니다. 개인정보가 들어 있으므로 고객 본인에게만 전달하세요.`,
    erase: "삭제",
    eraseTitle: "고객 개인정보 삭제",
    confirm: "영구 삭제",
    people: "이름, 이메일, 전화번호, 주소, 사용자 정의 항목이 삭제됩니다. 주문과 결제에는 “[erased]”로 표시됩니다.",
    messages: "메시지, 메모, 사유가 삭제되고 저장된 결제 수단은 결제 게이트웨이에서도 제거됩니다.",
    payers: "회복을 위해 등록된 같은 사람의 정보와 하위 판매자의 사본도 함께 삭제됩니다.",
    books: "금액, 세금, 원장, 회복 기록은 그대로 유지됩니다.",
    open: "미결제 주문, 처리 중인 결제, 진행 중인 회복이 있으면 거부되며 아무것도 바뀌지 않습니다.",
    final: "되돌릴 수 없습니다. 보관해야 한다면 먼저 데이터를 내보내세요.",
    cancelSubscriptions: "이용 중인 구독을 환불 없이 지금 해지",
    code: "확인을 위한 고객 코드",
    codeHint: (code: string) => `${code} 입력`,
  },
);
