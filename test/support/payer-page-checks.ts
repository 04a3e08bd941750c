import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Sends the payment form of a page without a card, past the browser's own checks, and waits for the page's answer. */
export async function sendEmptyForm(page: Page): Promise<void> {
  await page.evaluate("document.querySelector('form.pay').noValidate = true");
  await page.getByRole("radio").first().check();
  await page.locator("button.main").click();
  await page.getByRole("alert").waitFor();
}

/** No part of the page is wider than the screen, or than the page's column. Tables' heads are hidden on narrow screens. */
export async function expectNoOverflow(page: Page): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
  const beyond = `(() => {
    const { left, right } = document.querySelector("main").getBoundingClientRect();
    return [...document.querySelectorAll("main *:not(thead, thead *)")].filter((one) => {
      const box = one.getBoundingClientRect();
      return box.width > 0 && (box.left < left || box.right > right);
    }).map((one) => one.outerHTML.slice(0, 60));
  })()`;
  expect(await page.evaluate(beyond)).toEqual([]);
}

/** The fields of the card have the colour of the error. */
export async function expectRedCardFields(page: Page): Promise<void> {
  const colours = `["#number", "#expiry"].map((id) => getComputedStyle(document.querySelector(id)).borderTopColor)`;
  const alarm = await page.evaluate("getComputedStyle(document.querySelector('#alert h1')).color");
  expect(await page.evaluate(colours)).toEqual([alarm, alarm]);
}
