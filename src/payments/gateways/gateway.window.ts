/** The return of a payer's browser from a page or window of the gateway. */
export interface PayerReturn {
  /** The parameters that the gateway added to the return address. Anyone can send them, so that they are only hints. */
  parameters: Readonly<Record<string, string>>;
  /** The name of the order, which payers see. */
  orderName: string;
}

/** A window of the gateway that its own script opens in the payer's browser. */
export interface GatewayWindow {
  scriptUrl: string;
  /** The script that opens the window, once the gateway's script is there. It reads the request from the page. */
  starter: string;
  request: object;
  /** The origins from which the window loads scripts, frames, pictures and data. */
  origins: readonly string[];
}

/** The order that a window is opened for. */
export interface WindowOrder {
  /** The name of the order, which payers see. */
  orderName: string;
  /** The address to which the window sends the payer back. */
  returnUrl: string;
}
