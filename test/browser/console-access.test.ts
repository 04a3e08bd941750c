import { TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { ConsoleBrowser, findViolations } from "../support/console-browser.ts";
import { openPersonSession } from "../support/fixtures/console-person.ts";
import { MailServer } from "../support/mail-server.ts";
import { listenOnLoopback, openBrowser } from "../support/test-browser.ts";
import { startGateway } from "../support/test-gateway.ts";
import { createWorker } from "../support/test-worker.ts";

/* Owners manage keys and people in the console, and an invited person accepts by the link of the mail. */

await buildOnce();
const gateway = await startGateway({ now: new Date().toISOString() });
const address = await listenOnLoopback(gateway);
const tabs = new ConsoleBrowser(await openBrowser(), address);
const mails = await MailServer.start();
const worker = createWorker(gateway, {
  server: { host: "127.0.0.1", port: mails.port, secure: false, requireTLS: false },
  from: "billing@example.com",
});
const owner = { email: "owner@example.com", password: "correct horse" };
await openPersonSession(gateway, gateway.vendor.id, { email: owner.email, role: "OWNER" });

const isAccepted = async (token: string) =>
  (await gateway.sendRawGraphQL("{ vendor { name } }", {}, { token })).status === 200;

describe("the page of API keys", () => {
  test("creates a key whose token is shown once, rotates it and revokes it", async () => {
    const page = await tabs.openAsPerson(owner, "/developers");
    await page.getByRole("link", { name: "API keys" }).click();
    const form = page.getByRole("region", { name: "New key" });
    await form.getByLabel("Name").fill("reports");
    await form.getByRole("checkbox", { name: "Recovery" }).check();
    await form.getByLabel("Lifetime").selectOption("30");
    expect(await findViolations(page)).toEqual([]);
    await form.getByRole("button", { name: "Create the key" }).click();
    const notice = page.getByRole("status").filter({ hasText: "Token of the key" });
    const token = await notice.locator("pre").innerText();
    expect(await isAccepted(token)).toBe(true);
    const row = page.getByRole("row", { name: /reports/ }).first();
    expect(await row.innerText()).toMatch(/Read, Recovery/);
    expect(await findViolations(page)).toEqual([]);

    await page.getByRole("button", { name: "Rotate the key reports" }).click();
    const dialog = page.getByRole("dialog", { name: "Rotate the key reports" });
    await dialog.getByLabel("The old key stays valid for").selectOption("0");
    expect(await dialog.getByRole("listitem").last().innerText()).toBe("The old key is refused at once.");
    await dialog.getByRole("button", { name: "Rotate" }).click();
    await dialog.waitFor({ state: "detached" });
    const rotated = await notice.locator("pre").innerText();
    expect([rotated === token, await isAccepted(token), await isAccepted(rotated)]).toEqual([false, false, true]);

    await page.getByRole("button", { name: "Revoke the key reports" }).first().click();
    const revocation = page.getByRole("dialog", { name: "Revoke the key reports" });
    await revocation.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Revoked", { exact: true }).waitFor();
    expect(await isAccepted(rotated)).toBe(false);
    await page.reload();
    await page.getByRole("table", { name: "API keys" }).waitFor();
    expect(await page.content()).not.toContain(rotated);
  });
});

describe("the page of people", () => {
  test("invites a person, who accepts by the link and signs in, and changes and removes the person", async () => {
    const page = await tabs.openAsPerson(owner, "/developers/people");
    const form = page.getByRole("region", { name: "Invite a person" });
    await form.getByLabel("E-mail address").fill("lee@example.com");
    await form.getByLabel("Role").selectOption("FINANCE");
    await form.getByRole("button", { name: "Send the invitation" }).click();
    await form.getByText("The invitation to lee@example.com is on its way.").waitFor();
    const row = page.getByRole("row", { name: /lee@example.com/ });
    await row.getByText("Invited", { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);

    await worker.runTask("people.mail-password-links");
    const source = mails.received
      .at(-1)!
      .source.replace(/=\r?\n/g, "")
      .replace(/=3D/gi, "=")
      .replace(/=23/g, "#");
    const token = /\/invitation#([\w-]{43})/.exec(source)![1]!;
    const guest = await tabs.open(`/invitation#${token}`);
    await guest.getByLabel("Password").first().waitFor();
    expect(await findViolations(guest)).toEqual([]);
    await guest.getByLabel("Password").first().fill("correct horse");
    await guest.getByRole("button", { name: "Save the password" }).click();
    await guest.getByText("Welcome.").waitFor();
    await guest.getByRole("link", { name: "To the sign-in page" }).click();
    await tabs.signIn(guest, { email: "lee@example.com", password: "correct horse" });

    await page.reload();
    await row.getByText("Active", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Change role: lee@example.com" }).click();
    const dialog = page.getByRole("dialog", { name: "Change role: lee@example.com" });
    await dialog.getByLabel("Role").selectOption("READ_ONLY");
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Change role" }).click();
    await dialog.waitFor({ state: "detached" });
    await row.getByText("Read only").waitFor();
    await page.getByRole("button", { name: "Remove lee@example.com" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await row.waitFor({ state: "detached" });
    await guest.getByRole("link", { name: "Orders" }).click();
    await guest.getByText("You are signed out. Sign in again.").waitFor();
  });

  test("keeps the last owner, and says why", async () => {
    const page = await tabs.openAsPerson(owner, "/developers/people");
    await page.getByRole("button", { name: "Remove owner@example.com" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Remove" }).click();
    expect(await dialog.getByRole("alert").innerText()).toContain("LAST_OWNER");
  });

  test("is in Korean where the browser is", async () => {
    const page = await tabs.open("/developers/people", { locale: "ko-KR" });
    await page.getByLabel("이메일 주소").fill(owner.email);
    await page.getByLabel("비밀번호", { exact: true }).first().fill(owner.password);
    await page.getByRole("button", { name: "로그인", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "구성원" }).waitFor();
    await page.getByRole("table", { name: "구성원" }).getByText("소유자").waitFor();
    expect(await findViolations(page)).toEqual([]);
  });
});

describe("the account page", () => {
  test("sets up a second factor, which the sign-in then asks for, and an owner resets it", async () => {
    const person = { email: "factor@example.com", password: "correct horse" };
    await openPersonSession(gateway, gateway.vendor.id, { email: person.email, role: "SUPPORT" });
    const page = await tabs.openAsPerson(person);
    await page.getByRole("link", { name: "Account" }).click();
    await page.getByLabel("Password").first().fill(person.password);
    await page.getByRole("button", { name: "Set up the second factor" }).click();
    await page.getByRole("img", { name: "QR code of the key" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    const secret = (await page.locator("code").innerText()).replaceAll(" ", "");
    const codeNow = () => new TOTP({ secret }).generate({ timestamp: gateway.clock.now().getTime() });
    await page.getByLabel("Code").fill(codeNow());
    await page.getByRole("button", { name: "Switch it on" }).click();
    await page.getByText("10 recovery codes are left.").waitFor();
    expect((await page.locator("pre").innerText()).split("\n")).toHaveLength(10);
    expect(await findViolations(page)).toEqual([]);

    gateway.clock.advance(60_000);
    const second = await tabs.open();
    await second.getByLabel("E-mail address").fill(person.email);
    await second.getByLabel("Password", { exact: true }).first().fill(person.password);
    await second.getByRole("button", { name: "Sign in" }).click();
    await second.getByLabel("Code of your app").fill("000000");
    await second.getByRole("button", { name: "Sign in" }).click();
    await second.getByRole("alert").getByText("The code is wrong").waitFor();
    await second.getByLabel("Code of your app").fill(codeNow());
    expect(await findViolations(second)).toEqual([]);
    await second.getByRole("button", { name: "Sign in" }).click();
    await second.getByRole("navigation", { name: "Main navigation" }).waitFor();

    const people = await tabs.openAsPerson(owner, "/developers/people");
    await people.getByRole("button", { name: "Reset second factor: factor@example.com" }).click();
    await people.getByRole("dialog").getByRole("button", { name: "Reset second factor" }).click();
    await people.getByRole("dialog").waitFor({ state: "detached" });
    await people
      .getByRole("button", { name: "Reset second factor: factor@example.com" })
      .waitFor({ state: "detached" });
  });
});
