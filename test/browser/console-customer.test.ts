import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { ConsoleBrowser, findViolations } from "../support/console-browser.ts";
import { openPersonSession } from "../support/fixtures/console-person.ts";
import { listenOnLoopback, openBrowser } from "../support/test-browser.ts";
import { startGateway } from "../support/test-gateway.ts";
import { TestPayments } from "../support/test-payments.ts";

/* A customer's page: edits, export of the data for all who read, and erasure for those who may. */

await buildOnce();
const gateway = await startGateway();
const tabs = new ConsoleBrowser(await openBrowser(), await listenOnLoopback(gateway));
const payments = await TestPayments.start(gateway);
const { token } = gateway.vendor;

const readCustomer = async (id: number) =>
  (await gateway.queryRawData(`{ customer(id: "${id}") { code name email erasedAt } }`)).customer;

async function addCustomer(name: string): Promise<number> {
  const input = { name, email: "minji@example.com", phone: "01055512399" };
  const document =
    "mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { databaseId } } }";
  return Number((await gateway.queryRawData(document, { input })).createCustomer.customer.databaseId);
}

describe("the page of a customer", () => {
  test("saves the customer's data as a file", async () => {
    const id = await addCustomer("Minji Kim");
    const { code } = await readCustomer(id);
    const page = await tabs.openWithToken(token, `/customers/${id}`);
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export data" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`${code}.json`);
    const { records } = JSON.parse(await readFile(await download.path(), "utf8"));
    expect(records.customers).toMatchObject([{ name: "Minji Kim", email: "minji@example.com" }]);
    await page.getByText(`Saved as ${code}.json.`).waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test("links to the lists of the customer's own orders and subscriptions, which can be widened to all", async () => {
    const [id, otherId] = [await addCustomer("Minji Kim"), await addCustomer("Ari Lee")];
    const codeOfOrder = async (customerId: number): Promise<string> => {
      payments.customerId = customerId;
      const { databaseId } = await payments.createOrder("1000");
      return (await gateway.queryRawData(`{ order(id: "${databaseId}") { code } }`)).order.code;
    };
    const [code, otherCode] = [await codeOfOrder(id), await codeOfOrder(otherId)];
    const page = await tabs.openWithToken(token, `/customers/${id}`);
    await page.getByRole("link", { name: "All orders of this customer" }).click();
    const list = page.getByRole("table", { name: "Orders" });
    await list.getByRole("link", { name: code }).waitFor();
    expect(await list.getByRole("link", { name: otherCode }).count()).toBe(0);
    await page.getByText("1 result", { exact: true }).waitFor();
    await page.getByText("Only those of Minji Kim").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Show those of all customers" }).click();
    await list.getByRole("link", { name: otherCode }).waitFor();
    expect(await page.getByText("Only those of").count()).toBe(0);
  });

  test("edits the customer: what was changed is sent, and what was emptied is removed", async () => {
    const id = await addCustomer("Minji Kim");
    const read = async () =>
      (
        await gateway.queryRawData(
          `{ customer(id: "${id}") { name email phone username marketingEmail region { code } } }`,
        )
      ).customer;
    const page = await tabs.openWithToken(token, `/customers/${id}`);
    const dialog = page.getByRole("dialog", { name: "Edit the customer" });
    const save = dialog.getByRole("button", { name: "Save the customer" });
    await page.getByRole("button", { name: "Edit" }).click();
    expect(await save.isDisabled()).toBe(true);
    expect((await dialog.getByRole("listitem").allInnerTexts()).at(-1)).toMatch(/^Orders that exist keep the name/);
    await dialog.getByLabel("Name", { exact: true }).fill("Minji Park");
    await dialog.getByLabel("Login name").fill("minji");
    await dialog.getByLabel("Region").selectOption("South Korea");
    await dialog.getByLabel("Agrees to advertising by e-mail").check();
    await dialog.getByLabel("Phone").fill("none");
    expect(await findViolations(page)).toEqual([]);
    await save.click();
    expect(await dialog.getByRole("alert").innerText()).toContain("INVALID_ARGUMENT");
    await dialog.getByLabel("Phone").fill("010-5551-2399");
    await dialog.getByLabel("E-mail address").fill("minji.park@example.com");
    await save.click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1, name: "Minji Park" }).waitFor();
    const edited = { name: "Minji Park", email: "minji.park@example.com", phone: "01055512399", username: "minji" };
    expect(await read()).toEqual({ ...edited, marketingEmail: true, region: { code: "KR" } });
    const details = page.getByRole("region", { name: "Details" });
    await details.getByText("South Korea").waitFor();
    await details.getByText("by e-mail").waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    await dialog.getByLabel("Login name").fill("");
    await dialog.getByLabel("Region").selectOption("Not known");
    await save.click();
    await dialog.waitFor({ state: "detached" });
    expect(await read()).toEqual({ ...edited, username: null, marketingEmail: true, region: null });
  });

  test("erases after its consequences were shown and the code was typed, unless something is open", async () => {
    const id = await addCustomer("Minji Kim");
    const { code } = await readCustomer(id);
    payments.customerId = id;
    const order = await payments.createOrder("1000");
    const page = await tabs.openWithToken(token, `/customers/${id}`);
    await page.getByRole("button", { name: "Erase" }).click();
    const dialog = page.getByRole("dialog", { name: "Erase the customer's data" });
    expect(await findViolations(page)).toEqual([]);
    expect((await dialog.getByRole("listitem").allInnerTexts()).at(-1)).toMatch(/^It cannot be undone/);
    const confirm = dialog.getByRole("button", { name: "Erase for good" });
    await dialog.getByLabel("The customer's code, as a confirmation").fill("customer_wrong");
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel("The customer's code, as a confirmation").fill(code);
    await confirm.click();
    expect(await dialog.getByRole("alert").innerText()).toContain("CUSTOMER_HAS_OPEN_RECORDS");
    expect((await readCustomer(id)).name).toBe("Minji Kim");
    await gateway.queryRawData(`mutation { cancelOrder(input: { orderId: "${order.databaseId}" }) { order { id } } }`);
    await confirm.click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1, name: "[erased]" }).waitFor();
    await page.getByText("Data erased", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Erase" }).count()).toBe(0);
    expect(await readCustomer(id)).toMatchObject({ name: "[erased]", email: "", erasedAt: expect.any(String) });
  });

  test("offers no erasure to a role that may not erase", async () => {
    const person = { email: "finance@example.com", role: "FINANCE" } as const;
    await openPersonSession(gateway, gateway.vendor.id, person);
    const id = await addCustomer("Minji Kim");
    const page = await tabs.openAsPerson({ email: person.email, password: "correct horse" }, `/customers/${id}`);
    await page.getByRole("button", { name: "Export data" }).waitFor();
    expect(await page.getByRole("button", { name: "Erase" }).count()).toBe(0);
  });

  test("is in Korean for a Korean browser", async () => {
    const person = { email: "owner@example.com", role: "OWNER" } as const;
    await openPersonSession(gateway, gateway.vendor.id, person);
    const id = await addCustomer("김민지");
    const page = await tabs.open(`/customers/${id}`, { locale: "ko-KR", viewport: { width: 360, height: 740 } });
    await page.getByLabel("이메일").fill(person.email);
    await page.getByLabel("비밀번호", { exact: true }).first().fill("correct horse");
    await page.getByRole("button", { name: "로그인", exact: true }).click();
    await page.getByRole("button", { name: "데이터 내보내기" }).waitFor();
    await page.getByRole("button", { name: "삭제", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "고객 개인정보 삭제" });
    await dialog.getByText("되돌릴 수 없습니다.").waitFor();
    expect(await findViolations(page)).toEqual([]);
  });
});
