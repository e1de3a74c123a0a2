/**
 * Fills each control of a form, and says what the form sends: a field that is lost, or wired to
 * another one, changes the request.
 */
import type { Locator, Page, Route } from 'playwright-core';

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

const CONTROLS = 'input:not([type=hidden]):not([type=file]), textarea, select';

/** Controls that another one reveals are filled as well, where they are below it. */
export async function fillForm(
  form: Locator,
  { texts = {}, kept = [], revealed }: Filling,
): Promise<void> {
  const controls = form.locator(CONTROLS).locator('visible=true');
  for (let at = 0; at < (await controls.count()); at++) {
    const control = controls.nth(at);
    const label = await control.evaluate(labelOf);
    if (kept.some((each) => label.startsWith(each)) || (await control.isDisabled())) continue;
    await fillOne(control, texts[label] ?? `typed ${at}`);
  }
  if (revealed) await form.getByLabel(revealed).fill('typed last');
}

function labelOf(control: Element): string {
  const { labels } = control as HTMLInputElement;
  // The track of a switch is a label without text.
  const texts = [...(labels ?? [])].map(({ textContent }) => textContent);
  const text = control.getAttribute('aria-label') ?? texts.find((each) => each !== '');
  return (text ?? '').replace(/\s*\*$/, '');
}

const VALUES: Readonly<Record<string, string>> = {
  date: '2099-01-02',
  email: 'typed@example.com',
  time: '04:15',
  url: 'https://typed.example.com',
};

async function fillOne(control: Locator, text: string): Promise<void> {
  const page = control.page();
  const kind = await control.evaluate((element) => {
    const { type, inputMode, className, tagName } = element as HTMLInputElement;
    if (tagName === 'SELECT') return 'native';
    if (/mantine-TagsInput-/.test(className)) return 'tags';
    if (/mantine-MultiSelect-/.test(className)) return 'several';
    if (/mantine-Select-/.test(className)) return 'select';
    return inputMode === 'numeric' || inputMode === 'decimal' ? 'number' : type;
  });
  if (kind === 'checkbox') await control.click();
  else if (kind === 'radio') await control.check();
  else if (kind === 'native') await control.selectOption({ index: 1 });
  else if (kind === 'number') await control.fill('7');
  else if (kind === 'select') await chooseLast(control, page);
  else if (kind === 'several') {
    await chooseLast(control, page);
    await control.press('Tab');
  } else {
    await control.fill(VALUES[kind] ?? text);
    if (kind === 'tags') await control.press('Enter');
  }
}

async function chooseLast(control: Locator, page: Page): Promise<void> {
  await control.click();
  await page.getByRole('option').last().click();
}

/** Sends the form, which the server refuses for the sake of each field. */
export async function sentBy(page: Page, form: Locator): Promise<SentForm> {
  const route = Promise.withResolvers<Route>();
  await page.route('**/api/**', async (each) => {
    if (each.request().method() === 'GET') return each.fallback();
    route.resolve(each);
  });
  await form.locator('button[type=submit]').last().click();
  const refused = await route.promise;
  const request = refused.request();
  const body: unknown = request.postDataJSON();
  await refused.fulfill({
    status: 422,
    contentType: 'application/problem+json',
    json: { status: 422, code: 'VALIDATION_FAILED', errors: pathsOf(body).map(faultOf) },
  });
  await page.getByRole('alert').getByText(REFUSAL).waitFor();
  const faults = await page.getByText('fault of').allTextContents();
  const { pathname } = new URL(request.url());
  return {
    request: nameless(`${request.method()} ${pathname}`),
    body: JSON.parse(nameless(JSON.stringify(body))),
    faultsShown: [...new Set(faults.map((text) => text.replace('fault of ', '')))].sort(),
  };
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
