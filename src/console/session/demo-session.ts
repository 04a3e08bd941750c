/** Whether the gateway offers its demo data to this browser; it says so in the page. */
export const isDemoOffered = (): boolean =>
  document.querySelector('meta[name="recoup-demo"]')?.getAttribute("content") === "offered";

/** Requests the demo vendor's token; undefined if the gateway does not hand it out. */
export async function requestDemoToken(): Promise<string | undefined> {
  const response = await fetch("/console/demo", { method: "POST" });
  const body: unknown = response.ok ? await response.json() : undefined;
  const isToken = typeof body === "object" && body !== null && "token" in body && typeof body.token === "string";
  return isToken ? String(body.token) : undefined;
}
