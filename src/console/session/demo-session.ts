/** Whether the gateway offers its demo data to this browser; it says so in the page. */
export const isDemoOffered = (): boolean =>
  document.querySelector('meta[name="recoup-demo"]')?.getAttribute("content") === "offered";

/** The demo vendor's token, and the variables of the example operations. */
export interface Demo {
  token: string;
  variables: Record<string, string>;
}

/** Requests the demo vendor's token; undefined if the gateway does not hand it out. */
export async function requestDemo(): Promise<Demo | undefined> {
  const response = await fetch("/console/demo", { method: "POST" });
  const body: unknown = response.ok ? await response.json() : undefined;
  return isDemo(body) ? body : undefined;
}

const isDemo = (body: unknown): body is Demo =>
  typeof body === "object" && body !== null && "token" in body && typeof body.token === "string" && "variables" in body;
