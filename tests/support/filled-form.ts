/**
 * Fills each control of a form, and says what the form sends: a field that is lost, or wired to
 * another one, changes the request.
 */
import type { Locator, Page, Request, Route } from 'playwright-core';
import { expect } from 'vitest';

/** What is sent, and which of its fields show the fault that the server names for them. */
interface SentForm {
  request: string;
  body: unknown;
  faultsShown: string[];
}

export interface Filling {
  /** Values of fields that need a certain one, by label. */
  texts?: Readonly<Record<string, string>>;
  /** Labels of the controls that stay as they are; a label may go on with its description. */
  kept?: readonly string[];
  /** The label of a control that the server's answer reveals. */
  revealed?: string;
}

interface Order {
  /** Of the controls that are shown: where to begin. */
  at: number;
  texts: Readonly<Record<string, string>>;
  kept: readonly string[];
  values: Readonly<Record<string, string>>;
}

/** Controls that another one reveals are filled as well, where they are below it. */
export async function fillForm(
  form: Locator,
  { texts = {}, kept = [], revealed }: Filling,
): Promise<void> {
  const page = form.page();
  for (let at = 0; ; at++) {
    const opened = await form.evaluate(fillUntilOptions, { at, texts, kept, values: VALUES });
    if (opened === null) break;
    at = opened.at;
    await page.locator('[role=option]:visible').last().click();
    if (opened.isOfSeveral) await page.keyboard.press('Tab');
  }
  if (revealed) await form.getByLabel(revealed).fill('typed last');
}

const VALUES: Readonly<Record<string, string>> = {
  date: '2099-01-02',
  email: 'typed@example.com',
  time: '04:15',
  url: 'https://typed.example.com',
};

/**
 * Fills the controls up to the next one that opens options, which it opens. It runs in the page: as
 * many actions of Playwright take five times as long.
 */
async function fillUntilOptions(
  form: Element,
  { at: from, texts, kept, values }: Order,
): Promise<{ at: number; isOfSeveral: boolean } | null> {
  const controls = 'input:not([type=hidden]):not([type=file]), textarea, select';
  const shown = () =>
    [...form.querySelectorAll<HTMLInputElement>(controls)].filter((each) => {
      const { width, height } = each.getBoundingClientRect();
      return width > 0 && height > 0 && each.checkVisibility({ checkVisibilityCSS: true });
    });
  const labelOf = (control: HTMLInputElement) => {
    // The track of a switch is a label without text.
    const names = [...(control.labels ?? [])].map(({ textContent }) => textContent);
    const name = control.getAttribute('aria-label') ?? names.find((each) => each !== '');
    return (name ?? '').replace(/\s*\*$/, '');
  };
  const set = (control: Element, value: string, event = 'input') => {
    // React replaces the setter of each control.
    const { set: write } =
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value') ?? {};
    write?.call(control, value);
    control.dispatchEvent(new Event(event, { bubbles: true }));
  };
  for (let at = from; ; at++) {
    const control = shown()[at];
    if (control === undefined) return null;
    const label = labelOf(control);
    if (control.matches(':disabled') || kept.some((each) => label.startsWith(each))) continue;
    const { type, inputMode, className } = control;
    control.focus();
    if (/mantine-(?:Multi)?Select-/.test(className)) {
      control.click();
      return { at, isOfSeveral: className.includes('mantine-MultiSelect-') };
    }
    if (control instanceof HTMLSelectElement)
      set(control, control.options[1]?.value ?? '', 'change');
    else if (type === 'checkbox' || (type === 'radio' && !control.checked)) control.click();
    else if (/numeric|decimal/.test(inputMode)) set(control, '7');
    else if (type !== 'radio') set(control, values[type] ?? texts[label] ?? `typed ${at}`);
    if (className.includes('mantine-TagsInput-'))
      control.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    // What the control reveals is there with the next task.
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Sends the form, which the server refuses for the sake of each field. */
export async function sentBy(page: Page, form: Locator): Promise<SentForm> {
  let refused: Route | undefined;
  await page.route('**/api/**', async (each) => {
    const request = each.request();
    if (request.method() === 'GET' || asksBeforehand(request)) return each.fallback();
    refused ??= each;
  });
  await form.locator('button[type=submit]').last().click();
  await expect.poll(() => refused !== undefined || form.evaluate(whatKeepsIt)).toBe(true);
  if (refused === undefined) throw new Error('the form is not sent');
  const request = refused.request();
  const body: unknown = request.postDataJSON();
  await refused.fulfill({
    status: 422,
    contentType: 'application/problem+json',
    json: { status: 422, code: 'VALIDATION_FAILED', errors: pathsOf(body).map(faultOf) },
  });
  const refusal = page.getByRole('alert').getByText(REFUSAL);
  await expect.poll(() => refusal.count(), { message: `after ${request.url()}` }).toBe(1);
  const faults = await page.getByText('fault of').allTextContents();
  const { pathname } = new URL(request.url());
  return {
    request: nameless(`${request.method()} ${pathname}`),
    body: JSON.parse(nameless(JSON.stringify(body))),
    faultsShown: [...new Set(faults.map((text) => text.replace('fault of ', '')))].sort(),
  };
}

/** What a form asks while it is filled, which a page may do a moment later. */
const asksBeforehand = (request: Request) =>
  /\/(?:plan|preview)$/.test(new URL(request.url()).pathname);

/** Of a form that is not sent, each field that is not filled well, and what its buttons are. */
function whatKeepsIt(form: Element): string[] {
  const invalid = form.querySelectorAll<HTMLInputElement>(':invalid, [aria-invalid=true]');
  const fields = [...invalid].map(
    ({ labels, value, validationMessage: why }) => `${labels?.[0]?.textContent}: ${value} (${why})`,
  );
  const buttons = [...form.querySelectorAll<HTMLButtonElement>('button[type=submit]')].map(
    ({ textContent, disabled }) => `${textContent}${disabled ? ', disabled' : ''}`,
  );
  return [...fields, ...buttons];
}

/** As the page words the code. */
const REFUSAL = /^Some fields are invalid\./;

const faultOf = (path: string) => ({ path, code: 'TEST', params: {}, message: `fault of ${path}` });

/** Of each value in it, as `immutable_tags.0`. */
function pathsOf(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    const below = pathsOf(value).map((path) => `${name}.${path}`);
    return below.length > 0 ? below : [name];
  });
}

/** Without ids and ports, which differ in each run. */
function nameless(text: string): string {
  return text
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, 'ID')
    .replaceAll(/sha256:[\da-f]{64}/g, 'DIGEST')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');
}
